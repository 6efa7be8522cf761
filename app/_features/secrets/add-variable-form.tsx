'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { FormBanner, TextareaField, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { showFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import { kindLabels } from './labels'
import { type VariableListName, variablesKey } from './queries'
import styles from './secrets.module.css'

interface AddVariableFormProps {
  list: VariableListName
  onAdded: (id: number) => void
  onCancel: () => void
}

export function AddVariableForm({ list, onAdded, onCancel }: AddVariableFormProps): ReactNode {
  const { kind } = list
  const queryClient = useQueryClient()
  const added = useForm({
    resolver: useSchemaResolver(async () => {
      const { SecretFields, VariableFields } = await import('@/server/secrets/manage/schema')
      return kind === 'secret' ? SecretFields : VariableFields
    }),
    defaultValues: { name: '', value: '', description: '' },
  })
  const { errors, isDirty, isSubmitting } = added.formState
  const name = useWatch({ control: added.control, name: 'name' }).trim().toUpperCase()
  useUnsavedWarning(isDirty)

  const submit = useSingleFlight(
    added.handleSubmit(async input => {
      try {
        const { id, name } = await trpc.secrets.add.mutate({ ...list, ...input })
        await queryClient.invalidateQueries({ queryKey: variablesKey(list) })
        onAdded(id)
        toast.success(`Added the ${kind} ${name}`)
      } catch (error) {
        showFailure(added, error)
      }
    }),
  )

  return (
    <Panel title={`New ${kind}`}>
      <form className={form.form} onSubmit={submit} noValidate method="post">
        <FormBanner title={`The ${kind} couldn’t be added`} message={errors.root?.server?.message} />
        <TextField
          {...added.register('name')}
          label="Name"
          className={styles.mono}
          autoFocus
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          caption={
            <>
              Workflows use it as <code>{kindLabels[kind].reference(name || 'NAME')}</code>. Names are stored
              in uppercase.
            </>
          }
          error={errors.name?.message}
        />
        <TextareaField
          {...added.register('value')}
          label="Value"
          className={styles.mono}
          rows={4}
          autoComplete="off"
          spellCheck={false}
          caption={kind === 'secret' ? 'You won’t be able to see it again.' : 'It can appear in logs.'}
          error={errors.value?.message}
        />
        <TextField
          {...added.register('description')}
          label="Description"
          optional
          autoComplete="off"
          error={errors.description?.message}
        />
        <div className={form.actions}>
          <Button type="submit" variant="primary" loading={isSubmitting}>
            Add {kind}
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </form>
    </Panel>
  )
}
