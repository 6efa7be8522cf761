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
  /** Whose account it is, or an administrator, whose page then has another address. */
  by: 'themselves' | 'administrator'
}

export function RenameAccountForm({ username, by }: RenameAccountFormProps): ReactNode {
  const router = useRouter()
  const rename = useForm({ resolver: useSchemaResolver(loadNewName), defaultValues: { new_username: '' } })
  const { errors, isSubmitting } = rename.formState

  const submit = useSingleFlight(
    rename.handleSubmit(async ({ new_username }) => {
      if (by === 'administrator' && hasUnsavedChanges()) {
        const message =
          'Save the other changes on this page first. The page moves to the new name, which loses them.'
        return rename.setError('root.server', { message })
      }
      try {
        if (by === 'themselves') await trpc.users.renameMe.mutate({ new_username })
        else await trpc.users.rename.mutate({ username, new_username })
        toast.success(`${username} is called ${new_username} now`)
        rename.reset()
        if (by === 'administrator') router.replace(`/-/admin/users/${new_username}`)
        refreshPage()
      } catch (error) {
        // The server calls the field as it is called when an account is made.
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
    <Panel title="Rename the account">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <p>
          Every address of the account and of its repositories changes. The old ones lead to the new ones
          until the name {username} is taken again, which only {by === 'themselves' ? 'you' : 'they'} can do
          for the first {formerNameDays} days.
        </p>
        <FormBanner title="The account was not renamed" message={errors.root?.server?.message} />
        <TextField
          {...rename.register('new_username')}
          label="New name"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.new_username?.message}
          caption="Letters and digits, and single dashes, dots or underscores between them."
        />
        <div className={form.actions}>
          <Button type="submit" loading={isSubmitting}>
            Rename
          </Button>
        </div>
      </form>
    </Panel>
  )
}
