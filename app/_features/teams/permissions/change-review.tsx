'use client'
import type { ReactNode } from 'react'
import type { TeamChange } from '@/app/_lib/queries/teams'
import type { Team } from '@/server/teams/schema'
import { AffectedPeople, ModeChange } from './affected-people'
import styles from './change-review.module.css'
import { changesOf, draftOf, type PermissionDraft } from './permission-draft'
import { unitLabels } from './summaries'

interface ChangeReviewProps {
  team: Team
  draft: PermissionDraft
  change: TeamChange
  onStale: () => void
}

/** Shows what saving would change for the team and its members. */
export function ChangeReview({ team, draft, change, onStale }: ChangeReviewProps): ReactNode {
  const changes = changesOf(team, draft)
  const switches = draft.administrator !== draftOf(team).administrator
  return (
    <section className={styles.review} aria-labelledby="changes">
      <h2 id="changes" className={styles.title}>
        Changes
      </h2>
      <ul className={styles.changes}>
        {switches ? (
          <li>
            {draft.administrator
              ? 'The team will get administrator access, including the ability to manage settings and collaborators.'
              : 'The team will lose administrator access, including the ability to manage settings and collaborators.'}
          </li>
        ) : null}
        {changes.map(({ unit, before, after }) => (
          <li key={unit}>
            <strong>{unitLabels[unit].name}</strong>: <ModeChange before={before} after={after} />
          </li>
        ))}
      </ul>
      <AffectedPeople org={team.organization.name} change={change} onStale={onStale} />
    </section>
  )
}
