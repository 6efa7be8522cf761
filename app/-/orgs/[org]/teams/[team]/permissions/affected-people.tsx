'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { teamPreviewQuery } from '@/app/_lib/queries'
import { useDebounced } from '@/app/_lib/use-debounced'
import type { TeamEdit } from '@/app/-/orgs/_teams/permission-draft'
import { AffectedPerson } from './affected-person'
import styles from './change-review.module.css'
import { lookedAt } from './looked-at'

interface AffectedPeopleProps {
  teamId: number
  /** The same object for as long as nothing else is chosen. */
  edit: TeamEdit
}

/** Who gains or loses what: other teams and rights may make up for what this team no longer gives. */
export function AffectedPeople({ teamId, edit }: AffectedPeopleProps): ReactNode {
  const settled = useDebounced(edit, 250)
  const { data, error, isFetching } = useQuery({
    ...teamPreviewQuery(teamId, settled),
    placeholderData: keepPreviousData,
  })
  const isCurrent = settled === edit && !isFetching

  return (
    <section className={styles.people} aria-labelledby="affected">
      <h3 id="affected" className={styles.subtitle}>
        Who gains or loses what
      </h3>
      <p role="status" className={styles.status}>
        {isCurrent && error ? readFailure(error).message : null}
        {isCurrent && data ? lookedAt(data) : null}
        {isCurrent ? null : 'Working it out…'}
      </p>
      {data && data.members.length > 0 ? (
        <ul className={styles.list} aria-busy={!isCurrent}>
          {data.members.map(member => (
            <AffectedPerson key={member.username} member={member} />
          ))}
        </ul>
      ) : null}
    </section>
  )
}
