import { placeOfSite } from '@/app/_features/places/read-place'
import { runnerMetadata, runnerPage } from '@/app/_features/runners/pages/runner-page'

export const generateMetadata = runnerMetadata(placeOfSite)

export default runnerPage(placeOfSite)
