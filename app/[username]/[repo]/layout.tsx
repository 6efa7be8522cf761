import type { ReactNode } from 'react'
import { LockIcon, RepoIcon, RepoTemplateIcon } from '@/app/_components/icons'
import { TextLink } from '@/app/_components/links'
import { LiveRefresh } from '@/app/_components/live-refresh'
import { RepositoryLabels } from '@/app/_components/repository-name'
import { VisitedPage } from '@/app/_components/visited-page'
import { type RepositoryParams, repositoryAt } from '@/app/_features/repos/read-repository'
import styles from '@/app/_features/repos/repository.module.css'
import {
  ArchivedNotice,
  RepositoryTabs,
  type RepositoryTabsProps,
} from '@/app/_features/repos/repository-frame'
import { TransferNotice } from '@/app/_features/repos/transfer/transfer-notice'
import { repositoryPath } from '@/app/_lib/paths'
import { currentSession } from '@/app/_lib/server'
import type { Repository, RepositoryHome } from '@/server/repos/schema'

interface RepositoryLayoutProps extends RepositoryParams {
  children: ReactNode
}

export default async function RepositoryLayout({
  children,
  params,
}: RepositoryLayoutProps): Promise<ReactNode> {
  const { username, repo } = await params
  const [home, session] = await Promise.all([repositoryAt(username, repo), currentSession()])
  return (
    <>
      <VisitedPage
        kind="repository"
        text={home.repository.full_name}
        href={repositoryPath(home.repository)}
      />
      {session ? <LiveRefresh topics={[{ topic: 'repository', id: home.repository.id }]} /> : null}
      <div className={styles.bar}>
        <RepositoryHeader repository={home.repository} />
        <RepositoryTabs {...shownInTabs(home)} />
      </div>
      <div className={styles.content}>
        {home.transfer ? <TransferNotice repository={home.repository} transfer={home.transfer} /> : null}
        {home.repository.archived ? <ArchivedNotice since={home.repository.archived_at} /> : null}
        {children}
      </div>
    </>
  )
}

// Pages repeat what they pass to client components, so that is only what these show.
const shownInTabs = (home: RepositoryHome): RepositoryTabsProps => ({
  full_name: home.repository.full_name,
  mayRead: home.repository.permissions.pull,
  mayAdminister: home.may_administer,
  branches: home.branches,
  tags: home.tags,
  releases: home.releases,
  actions: home.actions,
})

const shownInLabels = ({ private: isPrivate, internal, archived, template }: Repository) => ({
  private: isPrivate,
  internal,
  archived,
  template,
})

function RepositoryHeader({ repository }: { repository: Repository }): ReactNode {
  const { owner, name, template } = repository
  const Visual = template ? RepoTemplateIcon : repository.private ? LockIcon : RepoIcon
  return (
    <div className={styles.header}>
      <div className={styles.name}>
        <Visual size={20} className={styles.icon} />
        <h1 className={styles.title}>
          <TextLink href={`/${owner.login}`}>{owner.login}</TextLink>
          <span className={styles.slash}>/</span>
          <strong>
            <TextLink href={repositoryPath(repository)}>{name}</TextLink>
          </strong>
        </h1>
      </div>
      <span className={styles.labels}>
        <RepositoryLabels repository={shownInLabels(repository)} />
      </span>
    </div>
  )
}
