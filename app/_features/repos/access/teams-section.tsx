'use client'
import { PeopleIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import type { RepoPath } from '@/app/_lib/paths'
import { repositoryTeamsQuery } from '@/app/_lib/queries'
import styles from './access-page.module.css'
import { AddTeam } from './add-team'
import { AttachedTeamRow } from './attached-team-row'

/** The teams of the organization that have this repository. */
export function TeamsSection({ path }: { path: RepoPath }): ReactNode {
  const { data } = useQuery(repositoryTeamsQuery(path))
  if (!data) return <ListSkeleton />
  const mayChange = data.may_change
  return (
    <div className={styles.section}>
      {mayChange ? <AddTeam path={path} attached={data.items} /> : null}
      {data.total === 0 ? (
        <EmptyState icon={PeopleIcon} title="No team has this repository" />
      ) : (
        <ListBox title="Teams" total={data.total}>
          {data.items.map(team => (
            <AttachedTeamRow key={team.id} path={path} team={team} mayChange={mayChange} />
          ))}
        </ListBox>
      )}
      {mayChange ? null : (
        <p className={styles.hint}>Only owners of {path.owner} say which teams have this repository.</p>
      )}
    </div>
  )
}
