'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { CheckField, FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { PasswordField } from '@/app/_components/password-field'
import { Button } from '@/app/_components/primer'
import { showFailure } from '@/app/_lib/failure'
import { usersKey } from '@/app/_lib/queries/users'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import { minPasswordLength } from '@/server/kernel/password-length'

const loadNewUser = async () =>
  (await import('@/server/users/schema')).CreateUserOption.pick({
    username: true,
    email: true,
    full_name: true,
    password: true,
    must_change_password: true,
  })

export function AddUserForm({ onDone }: { onDone: () => void }): ReactNode {
  const queryClient = useQueryClient()
  const newUser = useForm({
    resolver: useSchemaResolver(loadNewUser),
    defaultValues: { username: '', email: '', full_name: '', password: '', must_change_password: true },
  })
  const { errors, isDirty, isSubmitting } = newUser.formState
  useUnsavedWarning(isDirty)

  const submit = useSingleFlight(
    newUser.handleSubmit(async input => {
      try {
        const { login } = await trpc.users.create.mutate(input)
        await queryClient.invalidateQueries({ queryKey: usersKey })
        onDone()
        // Links to the new user, whom the list may not show under its current filters or on its current page.
        toast.success(`Created the user ${login}`, {
          action: { label: 'View user', href: `/-/admin/users/${login}` },
        })
      } catch (error) {
        showFailure(newUser, error)
      }
    }),
  )

  return (
    <Panel title="New user">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <FormBanner title="The user couldn’t be created" message={errors.root?.server?.message} />
        <TextField
          {...newUser.register('username')}
          label="Username"
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.username?.message}
        />
        <TextField
          {...newUser.register('email')}
          label="Email address"
          type="email"
          autoComplete="off"
          error={errors.email?.message}
        />
        <TextField
          {...newUser.register('full_name')}
          label="Full name"
          optional
          autoComplete="off"
          error={errors.full_name?.message}
        />
        <PasswordField
          {...newUser.register('password')}
          label="Password"
          autoComplete="new-password"
          caption={`At least ${minPasswordLength} characters. You’ll need to share it with the user.`}
          error={errors.password?.message}
        />
        <CheckField
          {...newUser.register('must_change_password')}
          label="Require a new password at the first sign-in"
        />
        <div className={form.actions}>
          <Button type="submit" variant="primary" loading={isSubmitting}>
            Create user
          </Button>
          <Button onClick={onDone}>Cancel</Button>
        </div>
      </form>
    </Panel>
  )
}
