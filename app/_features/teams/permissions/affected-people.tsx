'use client'
import { hashKey, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { type TeamChange, teamPreviewQuery } from '@/app/_lib/queries'
import { useDebounced } from '@/app/_lib/use-debounced'
import { AffectedPerson } from './affected-person'
import styles from './change-review.module.css'
import { previewSummary } from './preview-summary'

interface AffectedPeopleProps {
  org: string
  change: TeamChange
  /** The team may do something else by now than the change was chosen on. */
  onStale: () => void
}

/** Who gains or loses what: other teams and rights may make up for what this team no longer gives. */
export function AffectedPeople({ org, change, onStale }: AffectedPeopleProps): ReactNode {
  const key = hashKey([change])
  const settledKey = useDebounced(key, 250)
  const { data, error, isFetching } = useQuery({
    ...teamPreviewQuery(change),
    enabled: settledKey === key,
    // What was reckoned from another state of the team must not stand there for a moment as if it were of this one.
    placeholderData: (previous, query) =>
      query?.queryKey[3] === hashKey([change.expected]) ? previous : undefined,
  })
  const isCurrent = settledKey === key && !isFetching
  const failure = error ? readFailure(error) : undefined
  const isStale = failure?.kind === 'conflict'
  const tell = useEffectEvent(onStale)
  useEffect(() => {
    if (isStale) tell()
  }, [isStale])

  return (
    <section className={styles.people} aria-labelledby="affected">
      <h3 id="affected" className={styles.subtitle}>
        Who gains or loses what
      </h3>
      <p role="status" className={styles.status}>
        {isCurrent && failure && !isStale ? failure.message : null}
        {isCurrent && data ? previewSummary(data) : null}
        {isCurrent ? null : 'Working it out…'}
      </p>
      {data && data.members.length > 0 ? (
        <ul className={styles.list} aria-busy={!isCurrent}>
          {data.members.map(member => (
            <AffectedPerson key={member.username} org={org} change={change} member={member} />
          ))}
        </ul>
      ) : null}
    </section>
  )
}
