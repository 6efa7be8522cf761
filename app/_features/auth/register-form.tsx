'use client'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { PasswordField } from '@/app/_components/password-field'
import { Button } from '@/app/_components/primer'
import { showFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { minPasswordLength } from '@/server/kernel/password-length'
import type { RegisterInput } from '@/server/users/schema'

interface RegisterFormProps {
  /** `setUp` creates the first account of a new instance; `register` creates an additional one. */
  purpose: 'setUp' | 'register'
  submitLabel: string
}

export function RegisterForm({ purpose, submitLabel }: RegisterFormProps): ReactNode {
  // There are no default values, because they would overwrite what a password manager filled in before
  // hydration.
  const account = useForm<RegisterInput>({
    resolver: useSchemaResolver(async () => (await import('@/server/users/schema')).RegisterInput),
  })
  const { errors, isSubmitting, isSubmitSuccessful } = account.formState

  const submit = useSingleFlight(
    account.handleSubmit(async input => {
      try {
        await trpc.sessions[purpose].mutate(input)
        window.location.assign('/')
      } catch (error) {
        showFailure(account, error)
      }
    }),
  )

  return (
    <form className={form.form} onSubmit={submit} noValidate method="post">
      <FormBanner title="The account couldn’t be created" message={errors.root?.server?.message} />
      <TextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        readOnly={false}
        error={errors.username?.message}
        {...account.register('username')}
      />
      <TextField
        label="Email address"
        type="email"
        autoComplete="email"
        readOnly={false}
        error={errors.email?.message}
        {...account.register('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        caption={`At least ${minPasswordLength} characters.`}
        error={errors.password?.message}
        {...account.register('password')}
      />
      <Button type="submit" variant="primary" block loading={isSubmitting || isSubmitSuccessful}>
        {submitLabel}
      </Button>
    </form>
  )
}
