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
  /** Why the form was refused when it was last sent, without this code. */
  refusal: string | undefined
}

/** Works without scripts too: the browser then sends it, and the answer leads back here or on to `next`. */
export function SignInForm({ next, refusal }: SignInFormProps): ReactNode {
  // Without default values, what a password manager filled in before this code ran is kept.
  const signIn = useForm<SignInInput>({
    resolver: useSchemaResolver(async () => (await import('@/server/sessions/schema')).SignInInput),
  })
  const { errors, isSubmitting, isSubmitSuccessful, submitCount } = signIn.formState

  const submit = useSingleFlight(
    signIn.handleSubmit(async input => {
      try {
        await trpc.sessions.signIn.mutate(input)
        // A whole new page, so that everything on it is read as the person who signed in.
        window.location.assign(next)
      } catch (error) {
        const { field, message } = readFailure(error)
        signIn.setError('root.server', { message })
        if (field !== 'password') return
        signIn.setValue('password', '')
        signIn.setError('password', { message: 'Enter the password again.' }, { shouldFocus: true })
      }
    }),
  )

  return (
    <form className={form.form} onSubmit={submit} noValidate method="post" action="/-/forms/sign-in">
      <FormBanner
        title="Could not sign in"
        message={submitCount === 0 ? refusal : errors.root?.server?.message}
      />
      <input type="hidden" name="next" value={next} />
      <TextField
        label="User name or e-mail address"
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
