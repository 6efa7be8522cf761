'use client'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { ChoiceGroup } from '@/app/_components/choice-group'
import { FormControl, Radio } from '@/app/_components/primer'
import { visibilityLabels, visibilityOrder } from './visibility'

interface VisibilityFieldProps {
  field: UseFormRegisterReturn
  value: string | undefined
}

export function VisibilityField({ field, value }: VisibilityFieldProps): ReactNode {
  return (
    <ChoiceGroup legend="Visibility">
      {visibilityOrder.map(visibility => (
        <FormControl key={visibility}>
          <Radio {...field} value={visibility} checked={visibility === value} />
          <FormControl.Label>{visibilityLabels[visibility].name}</FormControl.Label>
          <FormControl.Caption>{visibilityLabels[visibility].about}</FormControl.Caption>
        </FormControl>
      ))}
    </ChoiceGroup>
  )
}
