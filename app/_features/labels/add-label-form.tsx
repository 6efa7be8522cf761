'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { FormBanner } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { showFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { isolated } from '@/app/_lib/visible-text'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { LabelHolderName } from '@/server/labels/schema'
import { LabelFields } from './label-fields'
import { labelsKey } from './queries'

interface AddLabelFormProps {
  holder: LabelHolderName
  onAdded: () => void
  onCancel: () => void
}

export function AddLabelForm({ holder, onAdded, onCancel }: AddLabelFormProps): ReactNode {
  const queryClient = useQueryClient()
  const added = useForm({
    resolver: useSchemaResolver(async () => (await import('@/server/labels/schema')).CreateLabelOption),
    defaultValues: { name: '', color: '1f6feb', description: '', exclusive: false, is_archived: false },
  })
  const { errors, isDirty, isSubmitting } = added.formState
  const typed = useWatch({ control: added.control })
  useUnsavedWarning(isDirty)

  const submit = useSingleFlight(
    added.handleSubmit(async input => {
      try {
        const { name } = await trpc.labels.page.add.mutate({ holder, ...input })
        await queryClient.invalidateQueries({ queryKey: labelsKey(holder) })
        onAdded()
        toast.success(`Created the label ${isolated(name)}`)
      } catch (error) {
        showFailure(added, error)
      }
    }),
  )

  return (
    <Panel title="New label">
      <form className={form.form} onSubmit={submit} noValidate method="post">
        <FormBanner title="The label couldn’t be created" message={errors.root?.server?.message} />
        <LabelFields
          name={{ ...added.register('name'), label: 'Name', error: errors.name?.message, autoFocus: true }}
          color={{ ...added.register('color'), label: 'Color', error: errors.color?.message }}
          description={{
            ...added.register('description'),
            label: 'Description',
            error: errors.description?.message,
          }}
          exclusive={{ ...added.register('exclusive'), label: 'Exclusive' }}
          archived={{ ...added.register('is_archived'), label: 'Archived' }}
          typed={{ name: typed.name ?? '', color: typed.color ?? '' }}
          onColor={color => added.setValue('color', color, { shouldDirty: true, shouldValidate: true })}
        />
        <div className={form.actions}>
          <Button type="submit" variant="primary" loading={isSubmitting}>
            Create label
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </form>
    </Panel>
  )
}
