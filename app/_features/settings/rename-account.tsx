'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { readFailure, showFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { hasUnsavedChanges } from '@/app/_lib/workarounds/use-unsaved-warning'
import { formerNameDays } from '@/server/users/name'

const loadNewName = async () => (await import('@/server/users/schema')).RenameMeInput

interface RenameAccountFormProps {
  username: string
  /**
   * The account's owner or an administrator. An administrator is redirected to the user page under the new
   * name.
   */
  by: 'themselves' | 'administrator'
}

export function RenameAccountForm({ username, by }: RenameAccountFormProps): ReactNode {
  const router = useRouter()
  const rename = useForm({ resolver: useSchemaResolver(loadNewName), defaultValues: { new_username: '' } })
  const { errors, isSubmitting } = rename.formState

  const submit = useSingleFlight(
    rename.handleSubmit(async ({ new_username }) => {
      if (by === 'administrator' && hasUnsavedChanges()) {
        const message = 'Save the other changes on this page first. Renaming the account will discard them.'
        return rename.setError('root.server', { message })
      }
      try {
        if (by === 'themselves') await trpc.users.renameMe.mutate({ new_username })
        else await trpc.users.rename.mutate({ username, new_username })
        toast.success(`Renamed ${username} to ${new_username}`)
        rename.reset()
        if (by === 'administrator') router.replace(`/-/admin/users/${new_username}`)
        refreshPage()
      } catch (error) {
        // The server calls this field `username`, as in the form that creates an account.
        if (readFailure(error).field === 'username') {
          return rename.setError(
            'new_username',
            { message: readFailure(error).message },
            { shouldFocus: true },
          )
        }
        showFailure(rename, error)
      }
    }),
  )

  return (
    <Panel title="Rename account">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <p>
          The URLs of the account and its repositories will change. The old URLs will redirect to the new ones
          until the username {username} is reused. For the first {formerNameDays} days, only{' '}
          {by === 'themselves' ? 'you' : 'this user'} or an administrator can reuse the username.
        </p>
        <FormBanner title="The account couldn’t be renamed" message={errors.root?.server?.message} />
        <TextField
          {...rename.register('new_username')}
          label="New username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.new_username?.message}
          caption="Use letters and numbers, optionally separated by single dashes, dots, or underscores."
        />
        <div className={form.actions}>
          <Button type="submit" loading={isSubmitting}>
            Rename account
          </Button>
        </div>
      </form>
    </Panel>
  )
}
