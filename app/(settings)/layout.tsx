import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { LiveRefresh } from '@/app/_components/live-refresh'
import styles from '@/app/_features/settings/settings.module.css'
import { SettingsNav } from '@/app/_features/settings/settings-nav'
import { requireSession } from '@/app/_lib/server'

export const metadata: Metadata = { robots: { index: false } }

export default async function SettingsLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const { user, must_change_password } = await requireSession()
  const { id, login, full_name } = user
  return (
    <div className={styles.page}>
      {must_change_password ? null : <LiveRefresh topics={[{ topic: 'account' }]} />}
      <SettingsNav user={{ id, login, full_name }} locked={must_change_password} />
      <div className={styles.content}>{children}</div>
    </div>
  )
}
