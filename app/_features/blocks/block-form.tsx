'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { UserPicker, usePersonToAdd } from '@/app/_components/user-picker'
import { type Blocker, blocksKey } from '@/app/_lib/queries/blocks'
import { candidatesKey } from '@/app/_lib/queries/users'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { BlockDialog } from './block-control'

export function BlockForm({ org }: { org?: Blocker }): ReactNode {
  const queryClient = useQueryClient()
  const block = useForm({
    resolver: useSchemaResolver(async () =>
      (await import('@/server/blocks/schema')).BlockUserInput.pick({ note: true }),
    ),
    defaultValues: { note: '' },
  })
  const [asked, setAsked] = useState<{ username: string; note?: string | undefined }>()
  const { errors } = block.formState
  const {
    selected,
    picker: { key, ...picker },
    next,
  } = usePersonToAdd(() => block.clearErrors())

  const submit = block.handleSubmit(({ note }) => {
    if (selected !== undefined) return setAsked({ username: selected, note })
    block.setError('root', { message: 'Select a person from the list.' })
  })
  const done = async (): Promise<void> => {
    setAsked(undefined)
    block.reset()
    next()
    await queryClient.invalidateQueries({ queryKey: blocksKey })
    await queryClient.invalidateQueries({ queryKey: candidatesKey })
  }

  return (
    <Panel title="Block someone">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <UserPicker
          key={key}
          {...picker}
          label="Person"
          find={{ for: 'block', org }}
          error={errors.root?.message}
        />
        <TextField
          {...block.register('note')}
          label="Note"
          optional
          autoComplete="off"
          caption={org ? 'Visible only to organization owners.' : 'Visible only to you.'}
          error={errors.note?.message}
        />
        <div className={form.actions}>
          <Button type="submit" variant="danger">
            Block…
          </Button>
        </div>
      </form>
      {asked ? <BlockDialog org={org} {...asked} onDone={done} onClose={() => setAsked(undefined)} /> : null}
    </Panel>
  )
}
