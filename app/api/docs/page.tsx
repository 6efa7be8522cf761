import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { ApiReference } from '@/app/_features/api-docs/api-reference'
import styles from '@/app/_features/api-docs/docs.module.css'
import { QuickStart } from '@/app/_features/api-docs/quick-start'
import { currentSession, instanceStatus, requireSetUp } from '@/app/_lib/server'

export const metadata: Metadata = {
  title: 'API documentation',
  description: 'Browse and try every endpoint of the REST API.',
}

export default async function ApiDocsPage(): Promise<ReactNode> {
  await requireSetUp()
  return (
    <div className={styles.page}>
      <PageHeading title="API documentation">
        Use the REST API to automate Guildhall. Tools can import the{' '}
        <a href="/api/v1/openapi.json" className={styles.link}>
          OpenAPI description
        </a>
        .
      </PageHeading>
      <QuickStart baseUrl={(await instanceStatus()).base_url} />
      <ApiReference isSignedIn={(await currentSession()) !== undefined} />
    </div>
  )
}
