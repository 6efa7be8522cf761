'use client'
import type { ReactNode } from 'react'
import { ListRow, RowFacts } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { GitBranchIcon, LockIcon, RepoIcon, RepoTemplateIcon } from '@/app/_components/icons'
import { RelativeDate } from '@/app/_components/relative-date'
import { RepositoryLabels, RepositoryLink } from '@/app/_components/repository-name'
import { WorkList } from '@/app/_components/work-list'
import { publicRepositoryList, repositoryList } from '@/app/_lib/lists'
import { type RepositoryScope, repositoriesQuery } from '@/app/_lib/queries/repositories'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import type { BrowsedRepository } from '@/server/repos/lists/schema'
import { RepositoryActions } from './repository-actions'
import styles from './repository-list.module.css'
import { TopicList } from './topic-list'

interface RepositoryListProps {
  scope: RepositoryScope
  /** Only repositories with this topic. */
  topic?: string
  /** Whether the viewer is signed in. Anonymous visitors get no visibility filter. */
  isSignedIn: boolean
  emptyTitle: string
  emptyAction?: ReactNode
  /** Content to show below `emptyTitle` if there are no repositories at all. */
  emptyMore?: ReactNode
}

/**
 * Lists the repositories of a scope that the viewer can see. The viewer can select those that they administer
 * to act on several at a time.
 */
export function RepositoryList(props: RepositoryListProps): ReactNode {
  const { scope, topic, isSignedIn, emptyTitle, emptyAction, emptyMore } = props
  const list = useListChoice(isSignedIn ? repositoryList : publicRepositoryList)
  const rows = useListRows(repositoriesQuery(scope, list.choice, topic))
  return (
    <WorkList<BrowsedRepository>
      title="Repositories"
      noun="repository"
      icon={RepoIcon}
      list={list}
      rows={rows}
      idOf={repository => repository.id}
      nameOf={repository => repository.full_name}
      empty={
        <>
          <EmptyState icon={RepoIcon} title={emptyTitle} action={emptyAction} />
          {emptyMore}
        </>
      }
      row={(repository, check) => <RepositoryRow key={repository.id} repository={repository} check={check} />}
      bulk={{
        takes: repository => repository.may_administer,
        actions: (selected, done) => <RepositoryActions selected={selected} onDone={done} />,
      }}
    />
  )
}

interface RepositoryRowProps {
  repository: BrowsedRepository
  check: ReactNode
}

function RepositoryRow({ repository, check }: RepositoryRowProps): ReactNode {
  const { description, topics, default_branch, empty, updated_at } = repository
  const Visual = repository.template ? RepoTemplateIcon : repository.private ? LockIcon : RepoIcon
  return (
    <ListRow check={check} visual={<Visual size={16} />}>
      <h3 className={styles.name}>
        <RepositoryLink repository={repository} />
        <RepositoryLabels repository={repository} />
      </h3>
      {description ? (
        <p className={styles.description}>
          <bdi>{description}</bdi>
        </p>
      ) : null}
      {topics.length > 0 ? (
        <div className={styles.topics}>
          <TopicList topics={topics} />
        </div>
      ) : null}
      <RowFacts>
        {empty ? (
          <span>Empty</span>
        ) : (
          <span>
            <GitBranchIcon size={12} /> {default_branch}
          </span>
        )}
        <span>
          Updated <RelativeDate value={updated_at} />
        </span>
      </RowFacts>
    </ListRow>
  )
}
