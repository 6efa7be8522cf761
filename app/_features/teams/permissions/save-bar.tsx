'use client'
import type { ReactNode } from 'react'
import { Button, Link } from '@/app/_components/primer'
import type { Team } from '@/server/teams/schema'
import { changesOf, draftOf, type PermissionDraft } from './permission-draft'
import styles from './save-bar.module.css'

interface SaveBarProps {
  team: Team
  draft: PermissionDraft
  unsaved: boolean
  saving: boolean
  onSave: () => void
  onDiscard: () => void
  /** What is to be known before saving. */
  children: ReactNode
}

/** Stays in view and in place, whatever opens below it. */
export function SaveBar(props: SaveBarProps): ReactNode {
  const { team, draft, unsaved, saving, onSave, onDiscard, children } = props
  return (
    <div className={styles.bar}>
      <div className={styles.notices}>{children}</div>
      <Button
        variant="primary"
        inactive={!unsaved}
        loading={saving}
        onClick={() => unsaved && !saving && onSave()}
      >
        Save permissions
      </Button>
      <Button inactive={!unsaved} onClick={() => unsaved && onDiscard()}>
        Discard changes
      </Button>
      <span className={styles.summary} role="status">
        {unsaved ? (
          <>
            {summary(team, draft)} <Link href="#changes">See who gains or loses</Link>
          </>
        ) : null}
      </span>
    </div>
  )
}

function summary(team: Team, draft: PermissionDraft): string {
  const count = changesOf(team, draft).length
  if (draft.administrator !== draftOf(team).administrator) return 'Unsaved: administrator access.'
  return count === 1 ? 'Unsaved: 1 part changes.' : `Unsaved: ${count} parts change.`
}
