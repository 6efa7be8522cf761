'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { toast } from 'sonner'
import type { z } from 'zod'
import { CheckField } from '@/app/_components/check-field'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { SaveActions } from '@/app/_components/save-actions'
import { TextField } from '@/app/_components/text-field'
import { TextareaField } from '@/app/_components/textarea-field'
import { showFailure } from '@/app/_lib/form-error'
import { trpc } from '@/app/_lib/trpc'
import { useHydrated } from '@/app/_lib/use-hydrated'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import { type UserSettings, UserSettingsOptions } from '@/server/users/schema'

export function ProfileForm({ saved }: { saved: z.output<typeof UserSettings> }): ReactNode {
  const router = useRouter()
  const hydrated = useHydrated()
  const profile = useForm({ resolver: zodResolver(UserSettingsOptions), defaultValues: saved })
  const { errors, isDirty, isSubmitting } = profile.formState
  useUnsavedWarning(isDirty)

  const submit = useSingleFlight(
    profile.handleSubmit(async input => {
      try {
        profile.reset(await trpc.users.updateSettings.mutate(input))
        toast.success('Profile saved')
        router.refresh()
      } catch (error) {
        showFailure(profile, error)
      }
    }),
  )

  return (
    <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
      <FormBanner title="The profile was not saved" message={errors.root?.server?.message} />
      <TextField
        {...profile.register('full_name')}
        defaultValue={saved.full_name}
        readOnly={!hydrated}
        label="Full name"
        optional
        autoComplete="name"
        error={errors.full_name?.message}
      />
      <TextareaField
        {...profile.register('description')}
        defaultValue={saved.description}
        readOnly={!hydrated}
        label="About you"
        optional
        rows={3}
        error={errors.description?.message}
      />
      <TextField
        {...profile.register('website')}
        defaultValue={saved.website}
        readOnly={!hydrated}
        label="Website"
        type="url"
        optional
        autoComplete="url"
        placeholder="https://"
        error={errors.website?.message}
      />
      <TextField
        {...profile.register('location')}
        defaultValue={saved.location}
        readOnly={!hydrated}
        label="Location"
        optional
        error={errors.location?.message}
      />
      <CheckField
        {...profile.register('hide_email')}
        defaultChecked={saved.hide_email}
        label="Hide my e-mail address"
        caption="Others see an address that does not receive mail."
      />
      <SaveActions words="Save profile" unsaved={isDirty} saving={isSubmitting} />
    </form>
  )
}
