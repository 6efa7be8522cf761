'use client'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { PasswordField } from '@/app/_components/password-field'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import type { SignInInput } from '@/server/sessions/schema'

interface SignInFormProps {
  next: string
  /** Error message if the form was submitted without JavaScript and rejected. */
  refusal: string | undefined
}

/**
 * Sign-in form that also works without JavaScript: the server then redirects to `next`, or back to this page
 * with an error.
 */
export function SignInForm({ next, refusal }: SignInFormProps): ReactNode {
  // There are no default values, because they would overwrite what a password manager filled in before
  // hydration.
  const signIn = useForm<SignInInput>({
    resolver: useSchemaResolver(async () => (await import('@/server/sessions/schema')).SignInInput),
  })
  const { errors, isSubmitting, isSubmitSuccessful, submitCount } = signIn.formState

  const submit = useSingleFlight(
    signIn.handleSubmit(async input => {
      try {
        await trpc.sessions.signIn.mutate(input)
        // A full page load, so that everything is rendered for the person who signed in.
        window.location.assign(next)
      } catch (error) {
        const { field, message } = readFailure(error)
        signIn.setError('root.server', { message })
        if (field !== 'password') return
        signIn.setValue('password', '')
        signIn.setError('password', { message: 'Enter your password again.' }, { shouldFocus: true })
      }
    }),
  )

  return (
    <form className={form.form} onSubmit={submit} noValidate method="post" action="/-/forms/sign-in">
      <FormBanner
        title="Couldn’t sign in"
        message={submitCount === 0 ? refusal : errors.root?.server?.message}
      />
      <input type="hidden" name="next" value={next} />
      <TextField
        label="Username or email address"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        readOnly={false}
        error={errors.login?.message}
        {...signIn.register('login')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...signIn.register('password')}
      />
      <Button type="submit" variant="primary" block loading={isSubmitting || isSubmitSuccessful}>
        Sign in
      </Button>
    </form>
  )
}
