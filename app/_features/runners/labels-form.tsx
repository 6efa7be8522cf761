'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Panel } from '@/app/_components/box'
import { FormBanner, TextareaField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import type { BrowsedRunner } from '@/server/runners/pages/schema'
import { labelsIn } from './label-text'
import { labelsPreviewQuery, type RunnerName, runnersKey } from './queries'
import { RunnerLabels } from './runner-labels'
import styles from './runners.module.css'

interface LabelsFormProps {
  name: RunnerName
  runner: BrowsedRunner
}

/** The labels that jobs are matched with, edited here, with the waiting jobs that would match. */
export function LabelsForm({ name, runner }: LabelsFormProps): ReactNode {
  const { declared_labels: declared, labels_edited: isEdited } = runner
  const labels = runner.labels.map(label => label.name)
  const queryClient = useQueryClient()
  const [text, setText] = useState(labels.join(', '))
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const given = labelsIn(text)
  const isChanged = given.join() !== labels.join()
  useUnsavedWarning(isChanged)

  const save = async (next: string[] | null): Promise<void> => {
    setPending(true)
    setProblem(undefined)
    try {
      await trpc.runners.pages.set.mutate({
        ...name,
        ...(next ? { labels: next } : { labels_edited: false }),
      })
      toast.success(
        next ? `Saved the labels of ${runner.name}` : `${runner.name} has the labels that it declares`,
      )
      await queryClient.invalidateQueries({ queryKey: runnersKey(name.place) })
    } catch (error) {
      setProblem(readFailure(error).message)
    } finally {
      setPending(false)
    }
  }
  const submit = useSingleFlight(async () => {
    if (given.length === 0) return setProblem('Give at least one label.')
    if (isChanged) await save(given)
  })
  const goBack = useSingleFlight(() => save(null))

  return (
    <Panel title="Labels">
      <form className={form.form} onSubmit={submit} noValidate method="post">
        <FormBanner title="The labels were not saved" message={problem} />
        <TextareaField
          label="Labels"
          rows={2}
          autoComplete="off"
          spellCheck={false}
          maxLength={26_000}
          caption="A job goes to a runner that has all labels of its runs-on. Put commas between them."
          value={text}
          onChange={event => setText(event.target.value)}
        />
        {isChanged && given.length > 0 ? <Preview name={name} labels={given} /> : null}
        {isEdited ? (
          <div className={styles.hint}>
            <p>Edited here. The runner itself declares {declared.length === 0 ? 'none.' : 'these:'}</p>
            <RunnerLabels labels={declared} />
          </div>
        ) : null}
        <div className={form.actions}>
          <Button type="submit" variant="primary" aria-disabled={!isChanged || undefined} loading={isPending}>
            Save labels
          </Button>
          {isEdited ? <Button onClick={() => void goBack()}>Use the declared labels</Button> : null}
        </div>
      </form>
    </Panel>
  )
}

function Preview({ name, labels }: { name: RunnerName; labels: readonly string[] }): ReactNode {
  const settled = useDebounced(labels.join('\n'), 300).split('\n')
  const { data } = useQuery({ ...labelsPreviewQuery(name, settled), placeholderData: keepPreviousData })
  if (!data) return null
  const { before, after, changes } = data
  return (
    <div className={styles.preview} role="status">
      <p>
        With these labels it could take {counted(after, 'waiting job', 'waiting jobs')}, instead of{' '}
        {before.toLocaleString('en-US')}.
      </p>
      {changes.length === 0 ? null : (
        <ul>
          {changes.map(({ labels, count, change }) => (
            <li key={labels.join()} className={styles.head}>
              <span>
                {change === 'gained' ? 'Gains' : 'Loses'} {counted(count, 'job', 'jobs')}
              </span>
              <RunnerLabels labels={labels} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
