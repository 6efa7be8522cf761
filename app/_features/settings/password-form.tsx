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
  // There are no default values, because they would overwrite what a password manager filled in before
  // hydration.
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
        // If this change was required, other pages were not accessible before.
        refreshPage()
      } catch (error) {
        showFailure(change, error)
      }
    }),
  )

  return (
    <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
      <FormBanner title="Your password couldn’t be changed" message={errors.root?.server?.message} />
      {/* Tells password managers which account the password belongs to. */}
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
      description="An administrator requires you to choose a new password. Until you do, you can only view public pages."
    />
  )
}

export function PasswordElsewhere(): ReactNode {
  return (
    <Banner
      variant="info"
      title="You sign in with another service"
      description="Change your password in that service."
    />
  )
}
