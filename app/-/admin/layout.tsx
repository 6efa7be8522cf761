import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ShieldLockIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { LiveRefresh } from '@/app/_components/live-refresh'
import areaStyles from '@/app/_components/settings-page.module.css'
import styles from '@/app/_features/administration/admin-frame.module.css'
import { AdminNav } from '@/app/_features/administration/admin-nav'
import { requireAdmin } from '@/app/_lib/server'

export const metadata: Metadata = { robots: { index: false } }

export default async function AdminLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  await requireAdmin()
  return (
    <>
      <LiveRefresh topics={[{ topic: 'account' }, { topic: 'site' }]} />
      <div className={styles.bar}>
        <span className={styles.visual}>
          <ShieldLockIcon size={24} />
        </span>
        <span className={styles.name}>
          <QuietLink href="/-/admin/users">Site administration</QuietLink>
        </span>
      </div>
      <div className={`${areaStyles.page} ${styles.content}`}>
        <AdminNav />
        <div className={areaStyles.content}>{children}</div>
      </div>
    </>
  )
}
