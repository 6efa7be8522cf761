'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useWatch } from 'react-hook-form'
import { SaveForm } from '@/app/_components/save-form'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
import { isolated } from '@/app/_lib/visible-text'
import type { Label, LabelHolderName } from '@/server/labels/schema'
import { LabelFields } from './label-fields'
import { labelsKey } from './queries'

interface EditLabelFormProps {
  holder: LabelHolderName
  label: Label
  onSaved: () => void
  onUnsaved: (isUnsaved: boolean) => void
}

const fieldsOf = ({ name, color, description, exclusive, is_archived }: Label) => ({
  name,
  color,
  description,
  exclusive,
  is_archived,
})

export function EditLabelForm({ holder, label, onSaved, onUnsaved }: EditLabelFormProps): ReactNode {
  const queryClient = useQueryClient()
  const edit = useSaveForm({
    schema: async () => (await import('@/server/labels/schema')).CreateLabelOption,
    saved: fieldsOf(label),
    labels: {
      name: 'Name',
      color: 'Color',
      description: 'Description',
      exclusive: 'Exclusive',
      is_archived: 'Archived',
    },
    save: async ({ changes, expected }) => {
      const saved = await trpc.labels.page.save.mutate({ holder, id: label.id, changes, expected })
      await queryClient.invalidateQueries({ queryKey: labelsKey(holder) })
      toast.success(`Saved the label ${isolated(saved.name)}`)
      onSaved()
      return fieldsOf(saved)
    },
  })
  const [name = '', color = ''] = useWatch({ control: edit.form.control, name: ['name', 'color'] })
  useEffect(() => onUnsaved(edit.unsaved), [onUnsaved, edit.unsaved])
  return (
    <SaveForm edit={edit} failed="The label couldn’t be saved" action="Save label" wide>
      <LabelFields
        name={edit.text('name')}
        color={edit.text('color')}
        description={edit.text('description')}
        exclusive={edit.check('exclusive')}
        archived={edit.check('is_archived')}
        typed={{ name, color }}
        onColor={picked => edit.form.setValue('color', picked, { shouldDirty: true, shouldValidate: true })}
      />
    </SaveForm>
  )
}
