'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { TextareaField, TextField } from '@/app/_components/fields'
import { SaveForm } from '@/app/_components/save-form'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
import type { BrowsedVariable } from '@/server/secrets/manage/schema'
import { type VariableListName, variablesKey } from './queries'
import styles from './secrets.module.css'

interface EditVariableFormProps {
  list: VariableListName
  variable: BrowsedVariable
  onSaved: () => void
  onUnsaved: (isUnsaved: boolean) => void
}

const fieldsOf = ({ name, value, description }: BrowsedVariable) => ({
  name,
  value: value ?? '',
  description,
})

export function EditVariableForm({ list, variable, onSaved, onUnsaved }: EditVariableFormProps): ReactNode {
  const { kind } = list
  const isSecret = kind === 'secret'
  const queryClient = useQueryClient()
  const edit = useSaveForm({
    schema: async () => {
      const { SavedSecretFields, VariableFields } = await import('@/server/secrets/manage/schema')
      return isSecret ? SavedSecretFields : VariableFields
    },
    saved: fieldsOf(variable),
    labels: { name: 'Name', value: isSecret ? 'New value' : 'Value', description: 'Description' },
    save: async ({ changes, expected }) => {
      const saved = await trpc.secrets.save.mutate({ ...list, name: variable.name, changes, expected })
      await queryClient.invalidateQueries({ queryKey: variablesKey(list) })
      toast.success(`Saved the ${kind} ${saved.name}`)
      onSaved()
      return fieldsOf(saved)
    },
  })
  useEffect(() => onUnsaved(edit.unsaved), [onUnsaved, edit.unsaved])
  return (
    <SaveForm edit={edit} failed={`The ${kind} couldn’t be saved`} action={`Save ${kind}`} wide>
      <TextField {...edit.text('name')} className={styles.mono} autoComplete="off" spellCheck={false} />
      <TextareaField
        {...edit.text('value')}
        className={styles.mono}
        rows={4}
        autoComplete="off"
        spellCheck={false}
        optional={isSecret}
        caption={isSecret ? 'Leave empty to keep the current value.' : undefined}
      />
      <TextField {...edit.text('description')} optional autoComplete="off" />
    </SaveForm>
  )
}
