import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import styles from '@/app/_features/settings/settings.module.css'
import { SettingsNav } from '@/app/_features/settings/settings-nav'
import { requireSession } from '@/app/_lib/server'

export const metadata: Metadata = { robots: { index: false } }

export default async function SettingsLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const { user, must_change_password } = await requireSession()
  return (
    <div className={styles.page}>
      <SettingsNav user={user} locked={must_change_password} />
      <div className={styles.content}>{children}</div>
    </div>
  )
}
