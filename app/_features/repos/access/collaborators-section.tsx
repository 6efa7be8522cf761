'use client'
import { PersonAddIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import type { RepoPath } from '@/app/_lib/paths'
import { collaboratorsQuery } from '@/app/_lib/queries'
import styles from './access-page.module.css'
import { AddCollaborator } from './add-collaborator'
import { CollaboratorRow } from './collaborator-row'

/** The people who were given access to this one repository. */
export function CollaboratorsSection({ path, page }: { path: RepoPath; page: number }): ReactNode {
  const { data } = useQuery({ ...collaboratorsQuery(path, page), placeholderData: keepPreviousData })
  if (!data) return <ListSkeleton />
  return (
    <div className={styles.section}>
      <AddCollaborator path={path} />
      {data.total === 0 ? (
        <EmptyState icon={PersonAddIcon} title="No collaborators yet">
          <p>A collaborator has access to this repository alone, whatever teams they are in.</p>
        </EmptyState>
      ) : (
        <ListBox title="Collaborators" total={data.total}>
          {data.items.map(collaborator => (
            <CollaboratorRow key={collaborator.user.id} path={path} collaborator={collaborator} />
          ))}
        </ListBox>
      )}
      <Pager label="Pages of collaborators" page={page} limit={data.limit} total={data.total} />
    </div>
  )
}
