'use client'
import type { ReactNode } from 'react'
import { FormControl, Select } from '@/app/_components/primer'
import { givenModes } from '@/server/access/access-mode'
import type { Collaborator } from '@/server/repos/collaborators/schema'

/** What a collaborator can be given. */
export type GivenMode = Collaborator['mode']

export const givenModeLabels: Record<GivenMode, string> = { read: 'Read', write: 'Write', admin: 'Admin' }

interface ModeFieldProps {
  label: string
  /** In a list, where each row says the same. */
  hideLabel?: boolean
  value: GivenMode | undefined
  onChange: (mode: GivenMode) => void
}

export function ModeField({ label, hideLabel = false, value, onChange }: ModeFieldProps): ReactNode {
  return (
    <FormControl>
      <FormControl.Label visuallyHidden={hideLabel}>{label}</FormControl.Label>
      <Select value={value ?? ''} onChange={event => onChange(event.target.value as GivenMode)}>
        {givenModes.map(mode => (
          <Select.Option key={mode} value={mode}>
            {givenModeLabels[mode]}
          </Select.Option>
        ))}
      </Select>
    </FormControl>
  )
}
