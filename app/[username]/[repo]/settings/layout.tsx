import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import styles from '@/app/_components/settings-page.module.css'
import { type RepositoryParams, repositoryAt } from '@/app/_features/repos/read-repository'
import { SettingsNav } from '@/app/_features/repos/repository-frame'
import { requireSession } from '@/app/_lib/server'

interface SettingsLayoutProps extends RepositoryParams {
  children: ReactNode
}

/**
 * Layout of the repository settings. For viewers who do not administer the repository, the pages are not
 * found.
 */
export default async function SettingsLayout({ children, params }: SettingsLayoutProps): Promise<ReactNode> {
  const { username, repo } = await params
  await requireSession()
  const { repository, may_administer: mayAdminister } = await repositoryAt(username, repo)
  if (!mayAdminister) notFound()
  return (
    <div className={styles.page}>
      <SettingsNav repository={repository} />
      <div className={styles.content}>{children}</div>
    </div>
  )
}
