'use client'
import { ArrowRightIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { TextLink } from '@/app/_components/links'
import { Label } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { memberPreviewQuery, type TeamChange } from '@/app/_lib/queries'
import type { AccessMode } from '@/server/access/access-mode'
import { atLeast } from '@/server/access/access-mode'
import type { TeamPreview } from '@/server/teams/schema'
import styles from './change-review.module.css'
import { modeLabels, unitLabels } from './unit-labels'

type Member = TeamPreview['members'][number]
type Effect = Member['changes'][number]

interface AffectedPersonProps {
  org: string
  change: TeamChange
  member: Member
}

export function AffectedPerson({ org, change, member }: AffectedPersonProps): ReactNode {
  const { username, full_name, changes } = member
  return (
    <li className={styles.person}>
      <p>
        <TextLink href={`/${username}`}>{username}</TextLink>{' '}
        {full_name ? (
          <span className={styles.muted} dir="auto">
            {full_name}
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
  if (!data) return <p role="status">Looking…</p>
  const { unit, before, after } = effect
  const found = data.find(other => other.unit === unit && other.before === before && other.after === after)
  return (
    <ul className={styles.names} aria-label={`Repositories of ${unitLabels[unit].name} for ${username}`}>
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
