import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { requireSetUp } from '@/app/_lib/gates'
import { ApiBrowser } from './api-browser'
import styles from './docs.module.css'

export const metadata: Metadata = { title: 'API documentation' }

export default async function ApiDocsPage(): Promise<ReactNode> {
  await requireSetUp()
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>API documentation</h1>
      <p className={styles.lead}>
        Everything Guildhall can do, for programs. Authorize with an access token to try calls as yourself.
      </p>
      <h2 className={styles.calls}>Calls</h2>
      <ApiBrowser />
    </div>
  )
}
