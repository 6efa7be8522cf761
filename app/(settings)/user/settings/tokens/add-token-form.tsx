'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { Button } from '@/app/_components/primer'
import { TextField } from '@/app/_components/text-field'
import { showFailure } from '@/app/_lib/form-error'
import { trpc } from '@/app/_lib/trpc'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import { type AccessToken, CreateTokenInput } from '@/server/tokens/schema'
import { chosenScopes, noPermissions, type Permissions } from './chosen-scopes'
import { PermissionPicker } from './permission-picker'

interface AddTokenFormProps {
  username: string
  onMade: (token: AccessToken) => void
  onCancel: () => void
}

const NewToken = CreateTokenInput.pick({ name: true, scopes: true })

export function AddTokenForm({ username, onMade, onCancel }: AddTokenFormProps): ReactNode {
  const queryClient = useQueryClient()
  const [permissions, setPermissions] = useState(noPermissions)
  const newToken = useForm({
    resolver: zodResolver(NewToken),
    defaultValues: { name: '', scopes: [] as string[] },
  })
  const { errors, isDirty, isSubmitting } = newToken.formState
  useUnsavedWarning(isDirty || permissions !== noPermissions)
  const choose = (next: Permissions): void => {
    setPermissions(next)
    newToken.clearErrors('scopes')
  }

  const submit = useSingleFlight(
    newToken.handleSubmit(async ({ name }) => {
      const scopes = chosenScopes(permissions)
      if (scopes.length === 0) {
        return newToken.setError('scopes', { message: 'Choose at least one permission.' })
      }
      try {
        const token = await trpc.tokens.create.mutate({ username, name, scopes })
        await queryClient.invalidateQueries({ queryKey: ['tokens', username] })
        onMade(token)
      } catch (error) {
        showFailure(newToken, error)
      }
    }),
  )

  return (
    <Panel title="New access token">
      <form className={form.form} onSubmit={submit} noValidate method="post">
        <FormBanner title="The token was not created" message={errors.root?.server?.message} />
        <TextField
          {...newToken.register('name')}
          label="Name"
          autoFocus
          autoComplete="off"
          caption="What uses it, such as “release script”."
          error={errors.name?.message}
        />
        <PermissionPicker permissions={permissions} error={errors.scopes?.message} onChange={choose} />
        <div className={form.actions}>
          <Button type="submit" variant="primary" loading={isSubmitting}>
            Create token
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </form>
    </Panel>
  )
}
