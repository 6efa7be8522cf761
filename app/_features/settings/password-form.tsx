'use client'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { Banner } from '@/app/_components/banner'
import { FormBanner } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { PasswordField } from '@/app/_components/password-field'
import { Button } from '@/app/_components/primer'
import { showFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { minPasswordLength } from '@/server/kernel/password-length'
import type { ChangePasswordInput } from '@/server/users/schema'
import styles from './settings.module.css'

export function PasswordForm({ username }: { username: string }): ReactNode {
  // Without default values, what a password manager filled in before this code ran is kept.
  const change = useForm<ChangePasswordInput>({
    resolver: useSchemaResolver(async () => (await import('@/server/users/schema')).ChangePasswordInput),
  })
  const { errors, isSubmitting } = change.formState

  const submit = useSingleFlight(
    change.handleSubmit(async input => {
      try {
        await trpc.users.changePassword.mutate(input)
        change.reset()
        toast.success('Your password has been changed')
        // The other pages may have been closed until now.
        refreshPage()
      } catch (error) {
        showFailure(change, error)
      }
    }),
  )

  return (
    <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
      <FormBanner title="The password was not changed" message={errors.root?.server?.message} />
      {/* Tells a password manager whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        {...change.register('current_password')}
        label="Current password"
        autoComplete="current-password"
        error={errors.current_password?.message}
      />
      <PasswordField
        {...change.register('new_password')}
        label="New password"
        autoComplete="new-password"
        caption={`At least ${minPasswordLength} characters.`}
        error={errors.new_password?.message}
      />
      <div className={form.actions}>
        <Button type="submit" variant="primary" loading={isSubmitting}>
          Change password
        </Button>
      </div>
    </form>
  )
}

export function MustChangeNotice(): ReactNode {
  return (
    <Banner
      className={styles.notice}
      variant="warning"
      title="Choose a new password first"
      description="Somebody else has set your current password. Choose one that only you know. Until then you can look at what is public, and nothing else."
    />
  )
}

export function PasswordElsewhere(): ReactNode {
  return (
    <Banner
      variant="info"
      title="Your password is kept elsewhere"
      description="You sign in with an account of another service. Change the password there."
    />
  )
}
