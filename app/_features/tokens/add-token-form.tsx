'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type UseFormRegisterReturn, useForm, useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button, FormControl, Select } from '@/app/_components/primer'
import { showFailure } from '@/app/_lib/failure'
import { queryKeys } from '@/app/_lib/queries'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import type { ExpiringToken } from '@/server/tokens/schema'
import { PermissionPicker } from './permission-picker'
import { chosenScopes, noPermissions, offeredCategories, type Permissions } from './scopes'
import { type Expiry, endOf, presets, wireEnd } from './token-expiry'

interface AddTokenFormProps {
  username: string
  isAdmin: boolean
  onMade: (token: ExpiringToken) => void
  onCancel: () => void
}

const noLongerThanNeeded: Expiry = { after: '30', date: '' }

export function AddTokenForm({ username, isAdmin, onMade, onCancel }: AddTokenFormProps): ReactNode {
  const queryClient = useQueryClient()
  const [permissions, setPermissions] = useState(noPermissions)
  const newToken = useForm({
    resolver: useSchemaResolver(async () => (await import('./new-token')).NewToken),
    defaultValues: { name: '', scopes: [] as string[], expiry: noLongerThanNeeded },
  })
  const { errors, isDirty, isSubmitting } = newToken.formState
  const expiry = useWatch({ control: newToken.control, name: 'expiry' })
  useUnsavedWarning(isDirty)
  const choose = (next: Permissions): void => {
    setPermissions(next)
    newToken.setValue('scopes', chosenScopes(next), { shouldDirty: true })
    newToken.clearErrors('scopes')
  }

  const submit = useSingleFlight(
    newToken.handleSubmit(async ({ name, scopes, expiry: chosen }) => {
      try {
        const expires_at = wireEnd(chosen)
        const token = await trpc.tokens.createExpiring.mutate({ username, name, scopes, expires_at })
        await queryClient.invalidateQueries({ queryKey: queryKeys.tokens(username) })
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
        <ExpiryField
          value={expiry}
          after={newToken.register('expiry.after')}
          date={newToken.register('expiry.date')}
          error={errors.expiry?.date?.message}
        />
        <PermissionPicker
          categories={offeredCategories(isAdmin)}
          permissions={permissions}
          error={errors.scopes?.message}
          onChange={choose}
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

interface ExpiryFieldProps {
  value: Expiry
  after: UseFormRegisterReturn
  date: UseFormRegisterReturn
  error: string | undefined
}

function ExpiryField({ value, after, date, error }: ExpiryFieldProps): ReactNode {
  return (
    <>
      <FormControl>
        <FormControl.Label>Expiration</FormControl.Label>
        <Select {...after} block>
          {presets.map(days => (
            <Select.Option key={days} value={days}>
              {`${days} days`}
            </Select.Option>
          ))}
          <Select.Option value="date">On a day of your choice</Select.Option>
          <Select.Option value="never">No expiration</Select.Option>
        </Select>
        <FormControl.Caption>{captionOf(value)}</FormControl.Caption>
      </FormControl>
      {value.after === 'date' ? (
        <TextField {...date} label="Last day" type="date" autoComplete="off" error={error} />
      ) : null}
    </>
  )
}

function captionOf(value: Expiry): string {
  if (value.after === 'never')
    return 'The token works until you revoke it. One that ends does less harm when it leaks.'
  if (value.after === 'date') return 'The token stops working when that day is over.'
  const day = endOf(value, new Date()).toLocaleDateString('en-US', { dateStyle: 'medium' })
  return `The token stops working on ${day}.`
}
