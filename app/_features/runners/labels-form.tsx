'use client'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { TextareaField } from '@/app/_components/fields'
import { LabelList } from '@/app/_components/label-list'
import { Button } from '@/app/_components/primer'
import { SaveForm } from '@/app/_components/save-form'
import { readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import { useSaveForm } from '@/app/_lib/use-save-form'
import { isolated } from '@/app/_lib/visible-text'
import { labelsIn, textOfLabels } from '@/server/runners/label-text'
import type { BrowsedRunner } from '@/server/runners/manage/schema'
import { labelsPreviewQuery, type RunnerName, runnersKey } from './queries'
import styles from './runners.module.css'

interface LabelsFormProps {
  name: RunnerName
  runner: BrowsedRunner
}

const fieldsOf = ({ labels }: BrowsedRunner) => ({ labels: textOfLabels(labels.map(({ name }) => name)) })

/** Form for a runner's labels, with a preview of the waiting jobs that would match. */
export function LabelsForm({ name, runner }: LabelsFormProps): ReactNode {
  const { declared_labels: declared, labels_edited: isEdited } = runner
  const queryClient = useQueryClient()
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: runnersKey(name.scope) })
  const edit = useSaveForm({
    schema: async () => (await import('@/server/runners/manage/schema')).LabelFields,
    saved: fieldsOf(runner),
    labels: { labels: 'Labels' },
    save: async ({ changes, expected }) => {
      const saved = await trpc.runners.manage.saveLabels.mutate({ ...name, changes, expected })
      await refresh()
      toast.success(`Saved the labels of ${isolated(saved.name)}`)
      return fieldsOf(saved)
    },
  })
  const restoring = useMutation({
    mutationFn: () => trpc.runners.manage.restoreLabels.mutate(name),
    onSuccess: async restored => {
      toast.success(`${isolated(restored.name)} now uses its declared labels`)
      // The pressed button disappears, so the focus moves to the field.
      edit.form.setFocus('labels')
      edit.adopt(fieldsOf(restored))
      await refresh()
    },
    onError: error => toast.error(readFailure(error).message),
  })
  const typed = labelsIn(useWatch({ control: edit.form.control, name: 'labels' }))
  const isOther = textOfLabels(typed) !== fieldsOf(runner).labels

  return (
    <Panel title="Labels">
      <SaveForm edit={edit} failed="The labels couldn’t be saved" action="Save labels" wide>
        <div>
          <TextareaField
            {...edit.text('labels')}
            rows={2}
            autoComplete="off"
            spellCheck={false}
            caption="Jobs run on runners that have all the labels listed in the job’s runs-on. Separate labels with commas."
          />
          <div role="status" className={styles.preview}>
            {isOther && typed.length > 0 ? <Preview name={name} labels={typed} /> : null}
          </div>
        </div>
        {isEdited ? (
          <div className={styles.declared}>
            <p>Edited here. The runner itself declares {declared.length === 0 ? 'none.' : 'these:'}</p>
            <LabelList labels={declared} />
            <Button size="small" loading={restoring.isPending} onClick={() => restoring.mutate()}>
              Use declared labels
            </Button>
          </div>
        ) : null}
      </SaveForm>
    </Panel>
  )
}

function Preview({ name, labels }: { name: RunnerName; labels: readonly string[] }): ReactNode {
  const settled = useDebounced(labels.join('\n'), 300).split('\n')
  const { data } = useQuery({ ...labelsPreviewQuery(name, settled), placeholderData: keepPreviousData })
  if (!data) return null
  const { before, after, changes } = data
  return (
    <>
      <p>
        With these labels, the runner can run {counted(after, 'waiting job', 'waiting jobs')} instead of{' '}
        {before.toLocaleString('en-US')}.
      </p>
      {changes.length === 0 ? null : (
        <ul>
          {changes.map(({ labels, count, change }) => (
            <li key={labels.join()} className={styles.head}>
              <span>
                {change === 'gained' ? 'Gains' : 'Loses'} {counted(count, 'job', 'jobs')}
              </span>
              <LabelList labels={labels} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
