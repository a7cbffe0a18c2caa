//! The functions that DUMPI records: their numbers, names and arguments, in the order of the file.

/// The function number that ends a body.
pub(crate) const END: u16 = 293;

/// Returns the name of a function without `MPI_`, and its arguments; `None` if no file holds it.
///
/// The arguments are letters:
///
/// - `i`, `h`, `b`, `q`: a number of 32, 16, 8 or 64 bits; `c`: a communicator (16 bits);
/// - `I`, `H`, `B`: a list of these; `J`: a list of lists of 32 bits;
/// - `s`, `S`, `T`: a text, a list of texts, a list of lists of texts; `a`: a count and as many texts;
/// - `t`: statuses;
/// - `(n...)`: only where the first argument, the own rank, equals argument `n`, the root;
/// - `n`: as `a`, before version 0.6.2 with a number between; `y`, `z`: a list, before version 0.6.8 or 0.6.9 a number.
pub(crate) fn function(id: u16) -> Option<(&'static str, &'static str)> {
    FUNCTIONS.get(usize::from(id)).copied().filter(|&(_, arguments)| arguments != "!")
}

/// Returns the name of a function as MPI has it.
pub(crate) fn name(id: u16) -> &'static str {
    FUNCTIONS.get(usize::from(id)).map_or("?", |&(name, _)| name)
}

/// Numbers of the functions that have a meaning here.
pub(crate) mod id {
    pub(crate) const SEND: u16 = 0;
    pub(crate) const RECV: u16 = 1;
    pub(crate) const BSEND: u16 = 3;
    pub(crate) const SSEND: u16 = 4;
    pub(crate) const RSEND: u16 = 5;
    pub(crate) const ISEND: u16 = 8;
    pub(crate) const IBSEND: u16 = 9;
    pub(crate) const ISSEND: u16 = 10;
    pub(crate) const IRSEND: u16 = 11;
    pub(crate) const IRECV: u16 = 12;
    pub(crate) const WAIT: u16 = 13;
    pub(crate) const TEST: u16 = 14;
    pub(crate) const REQUEST_FREE: u16 = 15;
    pub(crate) const WAITANY: u16 = 16;
    pub(crate) const TESTANY: u16 = 17;
    pub(crate) const WAITALL: u16 = 18;
    pub(crate) const TESTALL: u16 = 19;
    pub(crate) const WAITSOME: u16 = 20;
    pub(crate) const TESTSOME: u16 = 21;
    pub(crate) const IPROBE: u16 = 22;
    pub(crate) const PROBE: u16 = 23;
    pub(crate) const CANCEL: u16 = 24;
    pub(crate) const SEND_INIT: u16 = 26;
    pub(crate) const BSEND_INIT: u16 = 27;
    pub(crate) const SSEND_INIT: u16 = 28;
    pub(crate) const RSEND_INIT: u16 = 29;
    pub(crate) const RECV_INIT: u16 = 30;
    pub(crate) const START: u16 = 31;
    pub(crate) const STARTALL: u16 = 32;
    pub(crate) const SENDRECV: u16 = 33;
    pub(crate) const SENDRECV_REPLACE: u16 = 34;
    pub(crate) const TYPE_CONTIGUOUS: u16 = 35;
    pub(crate) const TYPE_VECTOR: u16 = 36;
    pub(crate) const TYPE_HVECTOR: u16 = 37;
    pub(crate) const TYPE_INDEXED: u16 = 38;
    pub(crate) const TYPE_HINDEXED: u16 = 39;
    pub(crate) const TYPE_STRUCT: u16 = 40;
    pub(crate) const BARRIER: u16 = 52;
    pub(crate) const BCAST: u16 = 53;
    pub(crate) const GATHER: u16 = 54;
    pub(crate) const GATHERV: u16 = 55;
    pub(crate) const SCATTER: u16 = 56;
    pub(crate) const SCATTERV: u16 = 57;
    pub(crate) const ALLGATHER: u16 = 58;
    pub(crate) const ALLGATHERV: u16 = 59;
    pub(crate) const ALLTOALL: u16 = 60;
    pub(crate) const ALLTOALLV: u16 = 61;
    pub(crate) const REDUCE: u16 = 62;
    pub(crate) const ALLREDUCE: u16 = 65;
    pub(crate) const REDUCE_SCATTER: u16 = 66;
    pub(crate) const SCAN: u16 = 67;
    pub(crate) const COMM_GROUP: u16 = 72;
    pub(crate) const GROUP_UNION: u16 = 73;
    pub(crate) const GROUP_INTERSECTION: u16 = 74;
    pub(crate) const GROUP_DIFFERENCE: u16 = 75;
    pub(crate) const GROUP_INCL: u16 = 76;
    pub(crate) const GROUP_EXCL: u16 = 77;
    pub(crate) const GROUP_RANGE_INCL: u16 = 78;
    pub(crate) const GROUP_RANGE_EXCL: u16 = 79;
    pub(crate) const GROUP_FREE: u16 = 80;
    pub(crate) const COMM_SIZE: u16 = 81;
    pub(crate) const COMM_RANK: u16 = 82;
    pub(crate) const COMM_DUP: u16 = 84;
    pub(crate) const COMM_CREATE: u16 = 85;
    pub(crate) const COMM_SPLIT: u16 = 86;
    pub(crate) const COMM_FREE: u16 = 87;
    pub(crate) const COMM_REMOTE_GROUP: u16 = 90;
    pub(crate) const INTERCOMM_CREATE: u16 = 91;
    pub(crate) const INTERCOMM_MERGE: u16 = 92;
    pub(crate) const CART_CREATE: u16 = 99;
    pub(crate) const GRAPH_CREATE: u16 = 101;
    pub(crate) const CART_SUB: u16 = 111;
    pub(crate) const COMM_ACCEPT: u16 = 130;
    pub(crate) const COMM_CONNECT: u16 = 131;
    pub(crate) const COMM_GET_PARENT: u16 = 133;
    pub(crate) const COMM_JOIN: u16 = 134;
    pub(crate) const COMM_SPAWN: u16 = 135;
    pub(crate) const COMM_SPAWN_MULTIPLE: u16 = 136;
    pub(crate) const ACCUMULATE: u16 = 141;
    pub(crate) const GET: u16 = 142;
    pub(crate) const PUT: u16 = 143;
    pub(crate) const WIN_FENCE: u16 = 146;
    pub(crate) const WIN_GET_GROUP: u16 = 148;
    pub(crate) const WIN_WAIT: u16 = 154;
    pub(crate) const ALLTOALLW: u16 = 155;
    pub(crate) const EXSCAN: u16 = 156;
    pub(crate) const TYPE_DUP: u16 = 178;
    pub(crate) const TYPE_CREATE_DARRAY: u16 = 217;
    pub(crate) const TYPE_CREATE_HINDEXED: u16 = 218;
    pub(crate) const TYPE_CREATE_HVECTOR: u16 = 219;
    pub(crate) const TYPE_CREATE_INDEXED_BLOCK: u16 = 220;
    pub(crate) const TYPE_CREATE_RESIZED: u16 = 221;
    pub(crate) const TYPE_CREATE_STRUCT: u16 = 222;
    pub(crate) const TYPE_CREATE_SUBARRAY: u16 = 223;
    pub(crate) const FILE_OPEN: u16 = 230;
    pub(crate) const FILE_GET_GROUP: u16 = 236;
    pub(crate) const FILE_SYNC: u16 = 281;
}

/// Name and arguments by number.
const FUNCTIONS: &[(&str, &str)] = &[
    ("Send", "ihiic"),
    ("Recv", "ihiict"),
    ("Get_count", "thi"),
    ("Bsend", "ihiic"),
    ("Ssend", "ihiic"),
    ("Rsend", "ihiic"),
    ("Buffer_attach", "i"),
    ("Buffer_detach", "i"),
    ("Isend", "ihiici"),
    ("Ibsend", "ihiici"),
    ("Issend", "ihiici"),
    ("Irsend", "ihiici"),
    ("Irecv", "ihiici"),
    ("Wait", "it"),
    ("Test", "iit"),
    ("Request_free", "i"),
    ("Waitany", "iIit"),
    ("Testany", "iIiit"),
    ("Waitall", "iIt"),
    ("Testall", "iIit"),
    ("Waitsome", "iIiIt"),
    ("Testsome", "iIiIt"),
    ("Iprobe", "iicit"),
    ("Probe", "iict"),
    ("Cancel", "i"),
    ("Test_cancelled", "ti"),
    ("Send_init", "ihiici"),
    ("Bsend_init", "ihiici"),
    ("Ssend_init", "ihiici"),
    ("Rsend_init", "ihiici"),
    ("Recv_init", "ihiici"),
    ("Start", "i"),
    ("Startall", "iI"),
    ("Sendrecv", "ihiiihiict"),
    ("Sendrecv_replace", "ihiiiict"),
    ("Type_contiguous", "ihh"),
    ("Type_vector", "iiihh"),
    ("Type_hvector", "iiihh"),
    ("Type_indexed", "iIIhh"),
    ("Type_hindexed", "iIIhh"),
    ("Type_struct", "iIzHh"),
    ("Address", "i"),
    ("Type_extent", "hi"),
    ("Type_size", "hi"),
    ("Type_lb", "hi"),
    ("Type_ub", "hi"),
    ("Type_commit", "h"),
    ("Type_free", "h"),
    ("Get_elements", "thi"),
    ("Pack", "ihiiic"),
    ("Unpack", "iiiihc"),
    ("Pack_size", "ihci"),
    ("Barrier", "c"),
    ("Bcast", "ihic"),
    ("Gather", "iihic(3ih)"),
    ("Gatherv", "iiihic(4II)h"),
    ("Scatter", "iihic(3ih)"),
    ("Scatterv", "iihihic(5II)"),
    ("Allgather", "ihihc"),
    ("Allgatherv", "iihIIhc"),
    ("Alltoall", "ihihc"),
    ("Alltoallv", "iIIhIIhc"),
    ("Reduce", "ihbic"),
    ("Op_create", "ib"),
    ("Op_free", "b"),
    ("Allreduce", "ihbc"),
    ("Reduce_scatter", "iIhbc"),
    ("Scan", "ihbc"),
    ("Group_size", "hi"),
    ("Group_rank", "hi"),
    ("Group_translate_ranks", "hiIhI"),
    ("Group_compare", "hhb"),
    ("Comm_group", "ch"),
    ("Group_union", "hhh"),
    ("Group_intersection", "hhh"),
    ("Group_difference", "hhh"),
    ("Group_incl", "hiIh"),
    ("Group_excl", "hiIh"),
    ("Group_range_incl", "hiJh"),
    ("Group_range_excl", "hiJh"),
    ("Group_free", "h"),
    ("Comm_size", "ci"),
    ("Comm_rank", "ci"),
    ("Comm_compare", "hhb"),
    ("Comm_dup", "hh"),
    ("Comm_create", "hhh"),
    ("Comm_split", "hiih"),
    ("Comm_free", "c"),
    ("Comm_test_inter", "ci"),
    ("Comm_remote_size", "ci"),
    ("Comm_remote_group", "ch"),
    ("Intercomm_create", "hihiih"),
    ("Intercomm_merge", "cih"),
    ("Keyval_create", "h"),
    ("Keyval_free", "h"),
    ("Attr_put", "ci"),
    ("Attr_get", "cii"),
    ("Attr_delete", "ci"),
    ("Topo_test", "cb"),
    ("Cart_create", "hiIIih"),
    ("Dims_create", "iiII"),
    ("Graph_create", "ihiIIih"),
    ("Graphdims_get", "cii"),
    ("Graph_get", "iiciiII"),
    ("Cartdim_get", "ci"),
    ("Cart_get", "iciIIy"),
    ("Cart_rank", "icIi"),
    ("Cart_coords", "iciiI"),
    ("Graph_neighbors_count", "cii"),
    ("Graph_neighbors", "iciiI"),
    ("Cart_shift", "ciiii"),
    ("Cart_sub", "ihIh"),
    ("Cart_map", "ciIIi"),
    ("Graph_map", "iciIIi"),
    ("Get_processor_name", "si"),
    ("Get_version", "ii"),
    ("Errhandler_create", "h"),
    ("Errhandler_set", "ch"),
    ("Errhandler_get", "ch"),
    ("Errhandler_free", "h"),
    ("Error_string", "isi"),
    ("Error_class", "ii"),
    ("Wtime", ""),
    ("Wtick", ""),
    ("Init", "n"),
    ("Finalize", ""),
    ("Initialized", "i"),
    ("Abort", "ci"),
    ("Pcontrol", "!"),
    ("Close_port", "s"),
    ("Comm_accept", "shihh"),
    ("Comm_connect", "shihh"),
    ("Comm_disconnect", "c"),
    ("Comm_get_parent", "h"),
    ("Comm_join", "ic"),
    ("Comm_spawn", "iihhsSihI"),
    ("Comm_spawn_multiple", "iiihhiSTIHI"),
    ("Lookup_name", "shs"),
    ("Open_port", "hs"),
    ("Publish_name", "shs"),
    ("Unpublish_name", "shs"),
    ("Accumulate", "ihiiihbh"),
    ("Get", "ihiiihh"),
    ("Put", "ihiiihh"),
    ("Win_complete", "h"),
    ("Win_create", "iihch"),
    ("Win_fence", "bh"),
    ("Win_free", "h"),
    ("Win_get_group", "hh"),
    ("Win_lock", "bibh"),
    ("Win_post", "hbh"),
    ("Win_start", "hbh"),
    ("Win_test", "hi"),
    ("Win_unlock", "ih"),
    ("Win_wait", "h"),
    ("Alltoallw", "iIIHIIHc"),
    ("Exscan", "ihbc"),
    ("Add_error_class", "i"),
    ("Add_error_code", "ii"),
    ("Add_error_string", "is"),
    ("Comm_call_errhandler", "ci"),
    ("Comm_create_keyval", "h"),
    ("Comm_delete_attr", "ch"),
    ("Comm_free_keyval", "h"),
    ("Comm_get_attr", "chi"),
    ("Comm_get_name", "csi"),
    ("Comm_set_attr", "ch"),
    ("Comm_set_name", "cs"),
    ("File_call_errhandler", "hi"),
    ("Grequest_complete", "i"),
    ("Grequest_start", "i"),
    ("Init_thread", "abb"),
    ("Is_thread_main", "i"),
    ("Query_thread", "b"),
    ("Status_set_cancelled", "ti"),
    ("Status_set_elements", "thi"),
    ("Type_create_keyval", "h"),
    ("Type_delete_attr", "hh"),
    ("Type_dup", "hh"),
    ("Type_free_keyval", "h"),
    ("Type_get_attr", "hhi"),
    ("Type_get_contents", "iiihiiiIIH"),
    ("Type_get_envelope", "hiiib"),
    ("Type_get_name", "hsi"),
    ("Type_set_attr", "hh"),
    ("Type_set_name", "hs"),
    ("Type_match_size", "bih"),
    ("Win_call_errhandler", "hi"),
    ("Win_create_keyval", "h"),
    ("Win_delete_attr", "hh"),
    ("Win_free_keyval", "h"),
    ("Win_get_attr", "hhi"),
    ("Win_get_name", "hsi"),
    ("Win_set_attr", "hh"),
    ("Win_set_name", "hs"),
    ("Alloc_mem", "ih"),
    ("Comm_create_errhandler", "h"),
    ("Comm_get_errhandler", "ch"),
    ("Comm_set_errhandler", "ch"),
    ("File_create_errhandler", "h"),
    ("File_get_errhandler", "hh"),
    ("File_set_errhandler", "hh"),
    ("Finalized", "i"),
    ("Free_mem", ""),
    ("Get_address", "i"),
    ("Info_create", "h"),
    ("Info_delete", "hs"),
    ("Info_dup", "hh"),
    ("Info_free", "h"),
    ("Info_get", "hsisi"),
    ("Info_get_nkeys", "hi"),
    ("Info_get_nthkey", "his"),
    ("Info_get_valuelen", "hsii"),
    ("Info_set", "hss"),
    ("Pack_external", "sihiii"),
    ("Pack_external_size", "sihi"),
    ("Request_get_status", "iit"),
    ("Type_create_darray", "iiiIBIIbhh"),
    ("Type_create_hindexed", "iIIhh"),
    ("Type_create_hvector", "iiihh"),
    ("Type_create_indexed_block", "iiIhh"),
    ("Type_create_resized", "hiih"),
    ("Type_create_struct", "iIIHh"),
    ("Type_create_subarray", "iIIIbhh"),
    ("Type_get_extent", "hii"),
    ("Type_get_true_extent", "hii"),
    ("Unpack_external", "siiiih"),
    ("Win_create_errhandler", "h"),
    ("Win_get_errhandler", "hh"),
    ("Win_set_errhandler", "hh"),
    ("File_open", "csbhh"),
    ("File_close", "h"),
    ("File_delete", "sh"),
    ("File_set_size", "hq"),
    ("File_preallocate", "hq"),
    ("File_get_size", "hq"),
    ("File_get_group", "hh"),
    ("File_get_amode", "hb"),
    ("File_set_info", "hh"),
    ("File_get_info", "hh"),
    ("File_set_view", "hqhhsh"),
    ("File_get_view", "hqhhs"),
    ("File_read_at", "hqiht"),
    ("File_read_at_all", "hqiht"),
    ("File_write_at", "hqiht"),
    ("File_write_at_all", "hqiht"),
    ("File_iread_at", "hqihi"),
    ("File_iwrite_at", "hqihi"),
    ("File_read", "hiht"),
    ("File_read_all", "hiht"),
    ("File_write", "hiht"),
    ("File_write_all", "hiht"),
    ("File_iread", "hihi"),
    ("File_iwrite", "hihi"),
    ("File_seek", "hqb"),
    ("File_get_position", "hq"),
    ("File_get_byte_offset", "hqq"),
    ("File_read_shared", "hiht"),
    ("File_write_shared", "hiht"),
    ("File_iread_shared", "hihi"),
    ("File_iwrite_shared", "hihi"),
    ("File_read_ordered", "hiht"),
    ("File_write_ordered", "hiht"),
    ("File_seek_shared", "hqb"),
    ("File_get_position_shared", "hq"),
    ("File_read_at_all_begin", "hqih"),
    ("File_read_at_all_end", "ht"),
    ("File_write_at_all_begin", "hqih"),
    ("File_write_at_all_end", "ht"),
    ("File_read_all_begin", "hih"),
    ("File_read_all_end", "ht"),
    ("File_write_all_begin", "hih"),
    ("File_write_all_end", "ht"),
    ("File_read_ordered_begin", "hih"),
    ("File_read_ordered_end", "ht"),
    ("File_write_ordered_begin", "hih"),
    ("File_write_ordered_end", "ht"),
    ("File_get_type_extent", "hhi"),
    ("Register_datarep", "s"),
    ("File_set_atomicity", "hi"),
    ("File_get_atomicity", "hi"),
    ("File_sync", "h"),
    ("DUMPIO_Test", "!"),
    ("DUMPIO_Wait", "!"),
    ("DUMPIO_Testall", "!"),
    ("DUMPIO_Waitall", "!"),
    ("DUMPIO_Testany", "!"),
    ("DUMPIO_Waitany", "!"),
    ("DUMPIO_Waitsome", "!"),
    ("DUMPIO_Testsome", "!"),
    ("", "!"),
    ("Function_enter", "q"),
    ("Function_exit", "q"),
];
