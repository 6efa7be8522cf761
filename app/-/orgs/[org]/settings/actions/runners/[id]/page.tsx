import { placeOfOrg } from '@/app/_features/places/read-place'
import { runnerPage } from '@/app/_features/runners/pages/runner-page'

export const metadata = { title: 'Runner' }

export default runnerPage(placeOfOrg)
