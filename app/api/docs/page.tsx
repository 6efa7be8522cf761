import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { ApiReference } from '@/app/_features/api-docs/api-reference'
import styles from '@/app/_features/api-docs/docs.module.css'
import { QuickStart } from '@/app/_features/api-docs/quick-start'
import { currentSession, instanceStatus, requireSetUp } from '@/app/_lib/server'

export const metadata: Metadata = {
  title: 'API documentation',
  description: 'Every call of the REST API, to read and to try.',
}

export default async function ApiDocsPage(): Promise<ReactNode> {
  await requireSetUp()
  return (
    <div className={styles.page}>
      <PageHeading title="API documentation">
        Everything Guildhall can do, for programs. Tools read the same from{' '}
        <a href="/api/v1/openapi.json" className={styles.link}>
          the OpenAPI description
        </a>
        .
      </PageHeading>
      <QuickStart baseUrl={(await instanceStatus()).base_url} />
      <ApiReference isSignedIn={(await currentSession()) !== undefined} />
    </div>
  )
}
