'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { CheckField } from '@/app/_components/check-field'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { SaveActions } from '@/app/_components/save-actions'
import { SaveConflicts } from '@/app/_components/save-conflicts'
import { TextField } from '@/app/_components/text-field'
import { TextareaField } from '@/app/_components/textarea-field'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useHydrated } from '@/app/_lib/use-hydrated'
import { useSaveForm } from '@/app/_lib/use-save-form'
import type { UserSettings } from '@/server/users/schema'

const labels = {
  full_name: 'Full name',
  description: 'About you',
  website: 'Website',
  location: 'Location',
  hide_email: 'Hide my e-mail address',
}

export function ProfileForm({ saved }: { saved: z.output<typeof UserSettings> }): ReactNode {
  const router = useRouter()
  const hydrated = useHydrated()
  const {
    form: profile,
    submit,
    unsaved,
    saving,
    problem,
    conflicts,
    takeTheirs,
  } = useSaveForm({
    schema: async () => (await import('@/server/users/schema')).UserSettingsOptions,
    saved,
    save: async edit => {
      const now = await trpc.users.saveSettings.mutate(edit)
      toast.success('Profile saved')
      router.refresh()
      return now
    },
  })
  const { errors } = profile.formState

  return (
    <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
      <FormBanner title="The profile was not saved" message={problem} />
      <SaveConflicts conflicts={conflicts} labels={labels} onTake={takeTheirs} />
      <TextField
        {...profile.register('full_name')}
        defaultValue={saved.full_name}
        readOnly={!hydrated}
        label={labels.full_name}
        optional
        autoComplete="name"
        error={errors.full_name?.message}
      />
      <TextareaField
        {...profile.register('description')}
        defaultValue={saved.description}
        readOnly={!hydrated}
        label={labels.description}
        optional
        rows={3}
        error={errors.description?.message}
      />
      <TextField
        {...profile.register('website')}
        defaultValue={saved.website}
        readOnly={!hydrated}
        label={labels.website}
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
        label={labels.location}
        optional
        error={errors.location?.message}
      />
      <CheckField
        {...profile.register('hide_email')}
        defaultChecked={saved.hide_email}
        label={labels.hide_email}
        caption="Others see an address that does not receive mail."
      />
      <SaveActions words="Save profile" unsaved={unsaved} saving={saving} />
    </form>
  )
}
