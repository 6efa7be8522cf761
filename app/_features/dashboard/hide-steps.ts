import { remember } from '@/app/_lib/remember'

/** Cookie with the ID of the account whose first steps are hidden, so that the server leaves them out. */
export const stepsCookie = 'guildhall_steps'

export const hideSteps = (accountId: number): void => remember(stepsCookie, String(accountId))
