'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { ExpiryField } from '@/app/_components/expiry-field'
import { FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { type Expiry, wireEnd } from '@/app/_lib/expiry'
import { showFailure } from '@/app/_lib/failure'
import { tokensKey } from '@/app/_lib/queries/tokens'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { ExpiringToken } from '@/server/tokens/schema'
import { PermissionPicker } from './permission-picker'
import { offeredCategories, type Permissions, type Preset, selectedScopes } from './scopes'

interface AddTokenFormProps {
  username: string
  isAdmin: boolean
  /** Initial values of the fields, such as those for Git. */
  preset: Preset
  onMade: (token: ExpiringToken) => void
  onCancel: () => void
}

const noLongerThanNeeded: Expiry = { after: '30', date: '' }

export function AddTokenForm(props: AddTokenFormProps): ReactNode {
  const { username, isAdmin, preset, onMade, onCancel } = props
  const queryClient = useQueryClient()
  const [permissions, setPermissions] = useState(preset.permissions)
  const newToken = useForm({
    resolver: useSchemaResolver(async () => (await import('./new-token')).NewToken),
    defaultValues: {
      name: preset.name,
      scopes: selectedScopes(preset.permissions) as string[],
      expiry: noLongerThanNeeded,
    },
  })
  const { errors, isDirty, isSubmitting } = newToken.formState
  const expiry = useWatch({ control: newToken.control, name: 'expiry' })
  useUnsavedWarning(isDirty)
  const select = (next: Permissions): void => {
    setPermissions(next)
    newToken.setValue('scopes', selectedScopes(next), { shouldDirty: true })
    newToken.clearErrors('scopes')
  }

  const submit = useSingleFlight(
    newToken.handleSubmit(async ({ name, scopes, expiry: selected }) => {
      try {
        const expires_at = wireEnd(selected)
        const token = await trpc.tokens.createExpiring.mutate({ username, name, scopes, expires_at })
        await queryClient.invalidateQueries({ queryKey: tokensKey(username) })
        onMade(token)
      } catch (error) {
        showFailure(newToken, error)
      }
    }),
  )

  return (
    <Panel title="New access token">
      <form className={form.form} onSubmit={submit} noValidate method="post">
        <FormBanner title="The token couldn’t be created" message={errors.root?.server?.message} />
        <TextField
          {...newToken.register('name')}
          label="Name"
          autoFocus
          autoComplete="off"
          caption="What this token is for, such as “release script”."
          error={errors.name?.message}
        />
        <ExpiryField
          what="token"
          endless="This token never expires. An expiration date limits the damage if it leaks."
          value={expiry}
          after={newToken.register('expiry.after')}
          date={newToken.register('expiry.date')}
          error={errors.expiry?.date?.message}
        />
        <PermissionPicker
          categories={offeredCategories(isAdmin)}
          permissions={permissions}
          error={errors.scopes?.message}
          onChange={select}
        />
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
