'use client'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { FormBanner } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button, Link } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { Unit } from '@/server/access/units'
import type { Team } from '@/server/teams/schema'
import { ChangeReview } from './change-review'
import { ChangedNotice } from './changed-notice'
import {
  changesOf,
  choiceBetween,
  contestedUnits,
  draftOf,
  isChanged,
  noChoice,
  type PermissionChoice,
  type PermissionDraft,
  toInput,
  withChoice,
} from './permission-draft'
import styles from './permission-editor.module.css'
import { PermissionFields } from './permission-fields'

interface Edit {
  /** The team as last read from the server. */
  saved: Team
  choice: PermissionChoice
  /** Units that someone else has changed, too, since editing started. Absent if there was no conflict. */
  contested?: readonly Unit[]
}

/** Editor of a team's permissions, which are saved together after a review of what would change. */
export function PermissionEditor({ team }: { team: Team }): ReactNode {
  const [edit, setEdit] = useState<Edit>({ saved: team, choice: noChoice })
  const { saved, choice, contested } = edit
  const known = draftOf(saved)
  const draft = withChoice(known, choice)
  const unsaved = isChanged(saved, draft)
  useUnsavedWarning(unsaved)

  const { permission, units_map } = saved
  const change = { id: team.id, ...toInput(draft), expected: { permission, units_map } }
  const catchingUp = useMutation({
    mutationFn: () => trpc.teams.get.query({ id: team.id }),
    onSuccess: now => {
      setEdit(edit => metBy(now, edit))
      saving.reset()
    },
  })
  const catchUp = (): void => catchingUp.mutate()
  const saving = useMutation({
    mutationFn: () => trpc.teams.setPermissions.mutate(change),
    onSuccess: now => {
      // Edits made while saving are still unsaved.
      setEdit(({ saved, choice }) => ({
        saved: now,
        choice: choiceBetween(draft, withChoice(draftOf(saved), choice)),
      }))
      toast.success(`Saved the permissions of ${now.name}`)
      refreshPage()
    },
    onError: error => (readFailure(error).kind === 'conflict' ? catchUp() : undefined),
  })
  const failure = catchingUp.error ?? saving.error
  const discard = (): void => {
    setEdit({ saved, choice: noChoice })
    saving.reset()
  }

  return (
    <div className={form.form}>
      <PermissionFields
        draft={draft}
        saved={known}
        onChange={selected => setEdit({ ...edit, choice: choiceBetween(known, selected) })}
      />
      <SaveBar
        team={saved}
        draft={draft}
        unsaved={unsaved}
        saving={saving.isPending}
        onSave={() => saving.mutate()}
        onDiscard={discard}
      >
        <FormBanner
          title={
            saving.error ? 'The permissions couldn’t be saved' : 'The current permissions couldn’t be loaded'
          }
          message={failure && !catchingUp.isPending ? readFailure(failure).message : undefined}
        />
        {contested ? (
          <ChangedNotice
            saved={known}
            choice={choice}
            contested={contested}
            onTake={unit =>
              setEdit({
                ...edit,
                choice: choiceBetween(known, withChoice(draft, { modes: { [unit]: known.modes[unit] } })),
              })
            }
          />
        ) : null}
      </SaveBar>
      {unsaved ? <ChangeReview team={saved} draft={draft} change={change} onStale={catchUp} /> : null}
    </div>
  )
}

/**
 * Returns the edit reapplied to the team that someone else has since saved: changes made here are kept, and
 * all other values are theirs.
 */
function metBy(now: Team, { saved, choice, contested = [] }: Edit): Edit {
  const [before, after] = [draftOf(saved), draftOf(now)]
  return {
    saved: now,
    choice: choiceBetween(after, withChoice(after, choice)),
    contested: [...new Set([...contested, ...contestedUnits(choice, before, after)])],
  }
}

interface SaveBarProps {
  team: Team
  draft: PermissionDraft
  unsaved: boolean
  saving: boolean
  onSave: () => void
  onDiscard: () => void
  /** Notices to read before saving. */
  children: ReactNode
}

/** Bar with the save button, which keeps its position while panels below it open. */
function SaveBar(props: SaveBarProps): ReactNode {
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
            {summary(team, draft)} <Link href="#changes">See who gains or loses access</Link>
          </>
        ) : null}
      </span>
    </div>
  )
}

function summary(team: Team, draft: PermissionDraft): string {
  const count = changesOf(team, draft).length
  if (draft.administrator !== draftOf(team).administrator) return 'Unsaved change to administrator access'
  return count === 1 ? 'Unsaved changes to 1 part' : `Unsaved changes to ${count} parts`
}
