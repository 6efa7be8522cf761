'use client'
import { hashKey, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { ArrowRightIcon } from '@/app/_components/icons'
import { TextLink } from '@/app/_components/links'
import { Label } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { memberPreviewQuery, type TeamChange, teamPreviewQuery } from '@/app/_lib/queries/teams'
import { useDebounced } from '@/app/_lib/use-debounced'
import { type AccessMode, atLeast } from '@/server/access/access-mode'
import type { TeamPreview } from '@/server/teams/schema'
import styles from './change-review.module.css'
import { modeLabels, previewSummary, unitLabels } from './summaries'

interface AffectedPeopleProps {
  org: string
  change: TeamChange
  /** Called when the team's permissions are no longer the ones that the change started from. */
  onStale: () => void
}

/**
 * Lists who gains or loses access through a change of a team, except for access that they also have another
 * way.
 */
export function AffectedPeople({ org, change, onStale }: AffectedPeopleProps): ReactNode {
  const key = hashKey([change])
  const settledKey = useDebounced(key, 250)
  const { data, error, isFetching } = useQuery({
    ...teamPreviewQuery(change),
    enabled: settledKey === key,
    // A preview computed from another state of the team must not be shown as if it belonged to this one, even
    // briefly.
    placeholderData: (previous, query) =>
      query?.queryKey[3] === hashKey([change.expected]) ? previous : undefined,
  })
  const isCurrent = settledKey === key && !isFetching
  const failure = error ? readFailure(error) : undefined
  const isStale = failure?.kind === 'conflict'
  const reportStale = useEffectEvent(onStale)
  useEffect(() => {
    if (isStale) reportStale()
  }, [isStale])

  return (
    <section className={styles.people} aria-labelledby="affected">
      <h3 id="affected" className={styles.subtitle}>
        Who gains or loses access
      </h3>
      <p role="status" className={styles.status}>
        {isCurrent && failure && !isStale ? failure.message : null}
        {isCurrent && data ? previewSummary(data) : null}
        {isCurrent ? null : 'Checking what’s affected…'}
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

type Member = TeamPreview['members'][number]
type Effect = Member['changes'][number]

interface AffectedPersonProps {
  org: string
  change: TeamChange
  member: Member
}

function AffectedPerson({ org, change, member }: AffectedPersonProps): ReactNode {
  const { username, full_name, changes } = member
  return (
    <li className={styles.person}>
      <p>
        <TextLink href={`/${username}`} inline>
          {username}
        </TextLink>{' '}
        {full_name ? (
          <span className={styles.muted}>
            <bdi>{full_name}</bdi>
          </span>
        ) : null}
      </p>
      <ul>
        {changes.map(effect => (
          <EffectRow
            key={`${effect.unit} ${effect.before} ${effect.after}`}
            org={org}
            change={change}
            username={username}
            effect={effect}
          />
        ))}
      </ul>
    </li>
  )
}

interface EffectRowProps {
  org: string
  change: TeamChange
  username: string
  effect: Effect
}

function EffectRow({ org, change, username, effect }: EffectRowProps): ReactNode {
  const { unit, before, after, repositories } = effect
  const [open, setOpen] = useState(false)
  const listId = useId()
  return (
    <li className={styles.effect}>
      {atLeast(after, before) ? (
        <Label variant="success">Gains</Label>
      ) : (
        <Label variant="danger">Loses</Label>
      )}
      <span>
        {unitLabels[unit].name}: <ModeChange before={before} after={after} /> in{' '}
        <button
          type="button"
          className={styles.where}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen(!open)}
        >
          {repositories.toLocaleString('en-US')} {repositories === 1 ? 'repository' : 'repositories'}
        </button>
      </span>
      <div id={listId} className={styles.repositories}>
        {open ? <Repositories org={org} change={change} username={username} effect={effect} /> : null}
      </div>
    </li>
  )
}

function Repositories({ org, change, username, effect }: EffectRowProps): ReactNode {
  const { data, error } = useQuery(memberPreviewQuery(change, username))
  if (error) return <p>{readFailure(error).message}</p>
  if (!data) return <p role="status">Loading…</p>
  const { unit, before, after } = effect
  const found = data.find(other => other.unit === unit && other.before === before && other.after === after)
  return (
    <ul
      className={styles.names}
      aria-label={`Repositories where ${unitLabels[unit].name} changes for ${username}`}
    >
      {found?.repositories.map(name => (
        <li key={name}>
          <TextLink href={`/${org}/${name}`}>{name}</TextLink>
        </li>
      ))}
    </ul>
  )
}

export function ModeChange({ before, after }: { before: AccessMode; after: AccessMode }): ReactNode {
  return (
    <span className={styles.change}>
      {modeLabels[before].toLowerCase()} <ArrowRightIcon size={12} aria-label="becomes" />{' '}
      {modeLabels[after].toLowerCase()}
    </span>
  )
}
