'use client'
import { type ReactNode, useId } from 'react'
import { BusyButton } from '@/app/_components/busy-button'
import { CheckField, FormBanner, TextareaField, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { ButtonLink } from '@/app/_components/links'
import { Button, FormControl, Radio } from '@/app/_components/primer'
import { visibleLine } from '@/app/_lib/visible-text'
import type { EditPage } from '@/server/code/edit/schema'
import styles from './edit.module.css'
import type { CommitState } from './use-commit'

interface CommitBoxProps {
  state: CommitState
  page: EditPage
  /** The message if none is typed. */
  summary: string
  /** Label of the button. */
  action: string
  /** Whether the button deletes something. */
  isDanger?: boolean
  /** Label of the button while it is busy. */
  busy?: string
  /** Path of the page to go to instead. */
  cancel: string
  /** Stops what is under way, as long as that is possible. */
  onStop?: (() => void) | undefined
}

/** The fields of a commit, and the button that makes it. It is the last part of a form. */
export function CommitBox(props: CommitBoxProps): ReactNode {
  const { state, page, summary, action, isDanger = false, busy = 'Committing…', cancel, onStop } = props
  const { fields, change, problems, isBusy } = state
  const title = useId()
  return (
    <section className={styles.commit} aria-labelledby={title}>
      <h2 id={title} className={styles.commitTitle}>
        Commit
      </h2>
      <div className={form.form}>
        <FormBanner title="Nothing was committed" message={problems.form} />
        <TextField
          label="Message"
          optional
          placeholder={visibleLine(summary)}
          maxLength={500}
          value={fields.summary}
          error={problems.message}
          onChange={event => change({ summary: event.target.value })}
        />
        <TextareaField
          label="Description"
          optional
          rows={3}
          maxLength={60_000}
          value={fields.description}
          onChange={event => change({ description: event.target.value })}
        />
        {page.commit === null ? (
          <p className={styles.muted}>
            This will be the first commit of the branch <bdi>{visibleLine(page.branch)}</bdi>.
          </p>
        ) : (
          <BranchFields state={state} branch={page.branch} />
        )}
        <CheckField
          label="Sign off"
          caption={
            <>
              Adds <bdi>Signed-off-by: {visibleLine(page.signature)}</bdi> to the message.
            </>
          }
          checked={fields.signoff}
          onChange={event => change({ signoff: event.target.checked })}
        />
        <div className={form.actions}>
          <BusyButton
            type="submit"
            variant={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            busy={busy}
            aria-keyshortcuts="Control+Enter Meta+Enter Control+S Meta+S"
          >
            {action}
          </BusyButton>
          {onStop ? (
            <Button onClick={onStop}>Cancel upload</Button>
          ) : (
            <ButtonLink href={cancel}>Cancel</ButtonLink>
          )}
        </div>
      </div>
    </section>
  )
}

function BranchFields({ state, branch }: { state: CommitState; branch: string }): ReactNode {
  const { fields, change, problems } = state
  const name = useId()
  return (
    <fieldset className={form.group}>
      <legend className={form.legend}>Branch</legend>
      <FormControl>
        <Radio name={name} value="direct" checked={!fields.isNew} onChange={() => change({ isNew: false })} />
        <FormControl.Label>
          Commit directly to <bdi>{visibleLine(branch)}</bdi>
        </FormControl.Label>
      </FormControl>
      <FormControl>
        <Radio name={name} value="new" checked={fields.isNew} onChange={() => change({ isNew: true })} />
        <FormControl.Label>Create a new branch for this commit</FormControl.Label>
      </FormControl>
      {fields.isNew ? (
        <TextField
          label="Name of the new branch"
          autoComplete="off"
          spellCheck={false}
          value={fields.newBranch}
          error={problems.new_branch}
          onChange={event => change({ newBranch: event.target.value })}
        />
      ) : null}
    </fieldset>
  )
}
