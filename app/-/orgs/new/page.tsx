import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { requireSession } from '@/app/_lib/gates'
import { instanceStatus } from '@/app/_lib/server'
import styles from '../orgs.module.css'
import { NewOrgForm } from './new-org-form'

export const metadata: Metadata = { title: 'New organization' }

export default async function NewOrgPage(): Promise<ReactNode> {
  await requireSession()
  const { base_url } = await instanceStatus()
  return (
    <div className={styles.page}>
      <PageHeading title="New organization">
        You become its owner. Others join when they are added to one of its teams.
      </PageHeading>
      <NewOrgForm baseUrl={base_url} />
    </div>
  )
}
