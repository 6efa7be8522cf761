import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { requireSession } from '@/app/_lib/gates'
import styles from './settings.module.css'
import { SettingsNav } from './settings-nav'

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
