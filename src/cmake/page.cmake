# The page's script is made of these parts of src/render/page, in this order: the first ones in every page, the others in that
# with an editor.
set(LOCKSTEP_PAGE_PARTS model source timeline details operations outcome controls look picture start)
set(LOCKSTEP_LIVE_PARTS ask editor experiment share serve explore inputs lessons explain)
