'use client'
import type { ReactNode } from 'react'
import { Label } from '@/app/_components/primer'
import { unitWords } from '@/app/-/orgs/_teams/unit-words'
import { atLeast } from '@/server/kernel/permissions/access-mode'
import type { TeamPreview } from '@/server/teams/schema'
import styles from './change-review.module.css'
import { ModeChange } from './mode-change'

export function AffectedPerson({ member }: { member: TeamPreview['members'][number] }): ReactNode {
  const { username, full_name, changes } = member
  return (
    <li className={styles.person}>
      <p>
        <strong>{username}</strong> {full_name ? <span className={styles.muted}>{full_name}</span> : null}
      </p>
      <ul>
        {changes.map(({ unit, before, after, repositories }) => (
          <li key={`${unit} ${before} ${after}`} className={styles.effect}>
            {atLeast(after, before) ? (
              <Label variant="success">Gains</Label>
            ) : (
              <Label variant="danger">Loses</Label>
            )}
            <span>
              {unitWords[unit].name}: <ModeChange before={before} after={after} />{' '}
              <span className={styles.muted}>
                in {repositories.toLocaleString('en-US')} {repositories === 1 ? 'repository' : 'repositories'}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </li>
  )
}
