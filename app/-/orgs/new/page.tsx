import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { NewOrgForm } from '@/app/_features/orgs/new-org-form'
import styles from '@/app/_features/orgs/orgs.module.css'
import { instanceStatus, requireSession } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'New organization' }

export default async function NewOrgPage(): Promise<ReactNode> {
  await requireSession()
  const { base_url } = await instanceStatus()
  return (
    <div className={styles.page}>
      <PageHeading title="New organization">
        You’ll be the owner. To add members, add people to one of the organization’s teams.
      </PageHeading>
      <NewOrgForm baseUrl={base_url} />
    </div>
  )
}
