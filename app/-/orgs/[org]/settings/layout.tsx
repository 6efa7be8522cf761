import type { ReactNode } from 'react'
import styles from '@/app/_components/settings-page.module.css'
import { OrgSettingsNav } from '@/app/_features/orgs/org-tabs'
import { readOrgAsManager } from '@/app/_features/orgs/read-org'

interface OrgSettingsLayoutProps {
  params: Promise<{ org: string }>
  children: ReactNode
}

export default async function OrgSettingsLayout({
  params,
  children,
}: OrgSettingsLayoutProps): Promise<ReactNode> {
  const { organization } = await readOrgAsManager((await params).org)
  return (
    <div className={styles.page}>
      <OrgSettingsNav org={organization.name} />
      <div className={styles.content}>{children}</div>
    </div>
  )
}
