import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { requireSession } from '@/app/_lib/gates'
import { type RepositoryParams, repositoryAt } from '../repository-at'
import styles from './settings.module.css'
import { SettingsNav } from './settings-nav'

interface SettingsLayoutProps extends RepositoryParams {
  children: ReactNode
}

/** For the repository's administrators; for others there is no such page. */
export default async function SettingsLayout({ children, params }: SettingsLayoutProps): Promise<ReactNode> {
  const { username, repo } = await params
  await requireSession()
  const { repository, mayAdminister } = await repositoryAt(username, repo)
  if (!mayAdminister) notFound()
  return (
    <div className={styles.columns}>
      <SettingsNav repository={repository} />
      <div className={styles.main}>{children}</div>
    </div>
  )
}
