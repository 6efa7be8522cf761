'use client'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { CheckField, ChoiceGroup, FormBanner, TextareaField, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button, FormControl, Radio } from '@/app/_components/primer'
import type { Failure } from '@/app/_lib/failure'
import styles from './commit-form.module.css'

/** How people want to commit. */
export interface WantedCommit {
  message: string
  new_branch?: string
  signoff: boolean
}

interface CommitFormProps {
  branch: string
  /** Suggested name of a new branch. */
  defaultBranchName: string
  /** First line of the message, unless another one is entered. */
  defaultMessage: string
  /** Label of the button. */
  verb: string
  isPending: boolean
  /** Why the last attempt failed. */
  failure: Failure | undefined
  onCommit: (wanted: WantedCommit) => void
  /** Shown next to the button. */
  children?: ReactNode
}

/** Form with the message of a commit, and the branch on which it is made. */
export function CommitForm(props: CommitFormProps): ReactNode {
  const { branch, defaultBranchName, defaultMessage, verb, isPending, failure, onCommit, children } = props
  const group = useId()
  const nameField = useRef<HTMLInputElement>(null)
  const summaryField = useRef<HTMLInputElement>(null)
  const [summary, setSummary] = useState('')
  const [description, setDescription] = useState('')
  const [isNew, setNew] = useState(false)
  const [name, setName] = useState(defaultBranchName)
  const [signoff, setSignoff] = useState(false)
  const [nameProblem, setNameProblem] = useState<string>()

  const field = fieldOf(failure, isNew)
  const problemAt = (of: typeof field): string | undefined => (field === of ? failure?.message : undefined)
  useEffect(() => {
    if (!failure) return
    if (field === 'new_branch') nameField.current?.focus()
    if (field === 'message') summaryField.current?.focus()
  }, [failure, field])

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isPending) return
    const problem = isNew ? problemOf(name.trim(), branch) : undefined
    setNameProblem(problem)
    if (problem) {
      nameField.current?.focus()
      return
    }
    const message = [summary.trim() || defaultMessage, description.trim()].filter(Boolean).join('\n\n')
    onCommit({ message, signoff, ...(isNew && { new_branch: name.trim() }) })
  }
  const submitOnKeys = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.defaultPrevented || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }

  return (
    <form
      className={`${form.form} ${styles.form}`}
      aria-label="Commit"
      onSubmit={submit}
      onKeyDown={submitOnKeys}
      noValidate
      method="post"
    >
      <FormBanner title="Nothing was committed" message={problemAt(undefined)} />
      <TextField
        ref={summaryField}
        label="Commit message"
        optional
        placeholder={defaultMessage}
        autoComplete="off"
        value={summary}
        error={problemAt('message')}
        onChange={event => setSummary(event.target.value)}
      />
      <TextareaField
        label="Extended description"
        optional
        rows={3}
        value={description}
        onChange={event => setDescription(event.target.value)}
      />
      <ChoiceGroup legend="Branch">
        <FormControl>
          <Radio name={group} value="present" checked={!isNew} onChange={() => setNew(false)} />
          <FormControl.Label>
            Commit directly to <bdi className={styles.branch}>{branch}</bdi>
          </FormControl.Label>
        </FormControl>
        <FormControl>
          <Radio name={group} value="new" checked={isNew} onChange={() => setNew(true)} />
          <FormControl.Label>Create a new branch for this commit</FormControl.Label>
        </FormControl>
        {isNew ? (
          <div className={styles.name}>
            <TextField
              ref={nameField}
              label="Name of the new branch"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={name}
              error={nameProblem ?? problemAt('new_branch')}
              onChange={event => {
                setName(event.target.value)
                setNameProblem(undefined)
              }}
            />
          </div>
        ) : null}
      </ChoiceGroup>
      <CheckField
        label="Sign off"
        caption="Adds a Signed-off-by line with your name and email address to the message."
        checked={signoff}
        onChange={event => setSignoff(event.target.checked)}
      />
      <div className={form.actions}>
        <Button
          type="submit"
          variant="primary"
          labelWrap
          loading={isPending}
          aria-keyshortcuts="Control+Enter"
        >
          {verb}
        </Button>
        {children}
      </div>
    </form>
  )
}

function problemOf(name: string, branch: string): string | undefined {
  if (name === '') return 'Enter a name.'
  return name === branch ? 'This branch exists already. Enter another name.' : undefined
}

function fieldOf(failure: Failure | undefined, isNew: boolean): 'message' | 'new_branch' | undefined {
  if (failure?.field === 'message') return 'message'
  if (isNew && failure?.field === 'new_branch') return 'new_branch'
  // Git stores names as files, so what is in the way is another name.
  const isAboutName =
    failure?.kind === 'alreadyExists' || (failure?.kind === 'conflict' && failure.reason === undefined)
  return isNew && isAboutName ? 'new_branch' : undefined
}
