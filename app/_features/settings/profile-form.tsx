'use client'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { CheckField, TextareaField, TextField } from '@/app/_components/fields'
import { SaveForm } from '@/app/_components/save-form'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
import type { UserSettings } from '@/server/users/schema'

const labels = {
  full_name: 'Full name',
  description: 'About you',
  website: 'Website',
  location: 'Location',
  hide_email: 'Hide my email address',
  hide_activity: 'Hide my activity',
}

export function ProfileForm({ saved }: { saved: z.output<typeof UserSettings> }): ReactNode {
  const edit = useSaveForm({
    schema: async () => (await import('@/server/users/schema')).UserSettingsOptions,
    saved,
    labels,
    save: async change => {
      const now = await trpc.users.saveSettings.mutate(change)
      toast.success('Profile saved')
      return now
    },
  })

  return (
    <SaveForm edit={edit} failed="Your profile couldn’t be saved" action="Save profile">
      <TextField {...edit.text('full_name')} optional autoComplete="name" />
      <TextareaField {...edit.text('description')} optional rows={3} />
      <TextField {...edit.text('website')} type="url" optional autoComplete="url" placeholder="https://" />
      <TextField {...edit.text('location')} optional />
      <CheckField {...edit.check('hide_email')} caption="Others see a no-reply address instead." />
      <CheckField
        {...edit.check('hide_activity')}
        caption="Hides your activity from everyone except you and administrators."
      />
    </SaveForm>
  )
}
